import type { Pod } from "@binnacle/api";
import { VirtualClock } from "@binnacle/base";
import { expect, it } from "vitest";
import { createSimulatedRuntime } from "./simulated-runtime.ts";

const PLACE = { nodeName: "n", hostIp: "10.0.0.1", podIp: "10.244.0.2" };
const pod = (changes: Partial<Pod> = {}): Pod => ({
  metadata: { name: "p", namespace: "default", uid: "u" },
  spec: {
    containers: [{ name: "c", image: "i" }],
    ephemeralContainers: [{ name: "debug", image: "busybox", targetContainerName: "c" }],
  },
  ...changes,
});

it("starts ephemeral containers when they come, once, and remembers when", async () => {
  const clock = new VirtualClock();
  const runtime = createSimulatedRuntime(clock);
  await runtime.sync(pod({ spec: { containers: [{ name: "c", image: "i" }] } }), PLACE);
  await clock.advance(60_000);
  const first = await runtime.sync(pod(), PLACE);
  const startedAt = first.status?.ephemeralContainerStatuses?.[0]?.state?.running?.startedAt;
  expect(first.status?.ephemeralContainerStatuses).toMatchObject([
    { name: "debug", image: "busybox", ready: false, restartCount: 0, state: { running: { startedAt } } },
  ]);
  expect(
    first.events.filter(({ fieldPath }) => fieldPath === "spec.ephemeralContainers{debug}"),
  ).toHaveLength(3);
  await clock.advance(60_000);
  const later = await runtime.sync(pod({ status: first.status! }), PLACE);
  expect(later.events).toEqual([]);
  const afterRestart = await createSimulatedRuntime(clock).sync(pod({ status: first.status! }), PLACE);
  for (const { status } of [later, afterRestart])
    expect(status?.ephemeralContainerStatuses?.[0]?.state?.running?.startedAt).toBe(startedAt);
  expect(afterRestart.events).toEqual([]);
});
