import type { Event } from "@binnacle/api";
import { type KubeList, type ResourceType, resourceType } from "@binnacle/apimachinery";
import { createLogger } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { makeWorld, thing, things } from "../testing/fixtures.ts";
import { EventBroadcaster } from "./event-recorder.ts";

const events: ResourceType<Event> = resourceType({
  group: "",
  version: "v1",
  kind: "Event",
  resource: "events",
  namespaced: true,
});
const object = thing("web", { metadata: { uid: "u1", resourceVersion: "7" } });

function setUp() {
  const world = makeWorld();
  const broadcaster = new EventBroadcaster(world.basics);
  const written = async (): Promise<KubeList<Event>["items"]> => {
    await world.activity.whenIdle();
    return (await world.client.list(events)).items;
  };
  return { ...world, broadcaster, recorder: broadcaster.recorder("tester"), written };
}

describe("EventRecorder", () => {
  it("writes an event about an object", async () => {
    const { recorder, written } = setUp();
    recorder.event(things, object, "Normal", "Started", "Started it", { fieldPath: "spec" });
    const [event] = await written();
    expect(event).toMatchObject({
      metadata: { namespace: "a", name: expect.stringMatching(/^web\.[0-9a-f]+$/) },
      involvedObject: {
        apiVersion: "x.io/v1",
        kind: "Thing",
        namespace: "a",
        name: "web",
        uid: "u1",
        resourceVersion: "7",
        fieldPath: "spec",
      },
      type: "Normal",
      reason: "Started",
      message: "Started it",
      source: { component: "tester" },
      reportingComponent: "tester",
      reportingInstance: "",
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:00Z",
      count: 1,
    });
  });

  it("counts equal events on the first", async () => {
    const { recorder, written, clock } = setUp();
    recorder.event(things, object, "Warning", "Failed", "no");
    recorder.event(things, object, "Warning", "Failed", "no");
    await clock.advance(5_000);
    recorder.event(things, object, "Warning", "Failed", "no");
    const all = await written();
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      count: 3,
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:05Z",
    });
  });

  it("keeps equal events about different parts of an object apart", async () => {
    const { recorder, written } = setUp();
    for (const fieldPath of ["spec.containers{a}", "spec.containers{b}", "spec.containers{a}"])
      recorder.event(things, object, "Normal", "Pulled", "m", { fieldPath });
    expect((await written()).map(({ involvedObject, count }) => [involvedObject.fieldPath, count])).toEqual([
      ["spec.containers{a}", 2],
      ["spec.containers{b}", 1],
    ]);
  });

  it("combines events that differ only in their message after the tenth", async () => {
    const { recorder, written } = setUp();
    for (let i = 0; i < 12; i++) recorder.event(things, object, "Normal", "Created", `pod ${i}`);
    const all = await written();
    expect(all).toHaveLength(10);
    expect(all.at(-1)).toMatchObject({ message: "(combined from similar events): pod 11", count: 3 });
  });

  it("drops what exceeds a burst of 25 from one source about one object", async () => {
    const { recorder, written, clock } = setUp();
    for (let i = 0; i < 30; i++) recorder.event(things, object, "Normal", `Reason${i}`, "m");
    recorder.event(things, thing("other"), "Normal", "Reason", "m");
    expect(await written()).toHaveLength(26);
    await clock.advance(300_000);
    recorder.event(things, object, "Normal", "Later", "m");
    expect(await written()).toHaveLength(27);
  });

  it("writes an event that comes just as the last one is done", async () => {
    const { recorder, written, activity } = setUp();
    recorder.event(things, object, "Normal", "First", "m");
    await activity.whenIdle();
    recorder.event(things, object, "Normal", "Second", "m");
    expect(await written()).toHaveLength(2);
    expect(activity.isIdle).toBe(true);
  });

  it("keeps a thousand waiting, drops the rest and says once how many", async () => {
    const lines: string[] = [];
    const { basics, client, activity } = makeWorld();
    const logger = createLogger((level, message, details) =>
      lines.push(`${level} ${message} ${JSON.stringify(details)}`),
    );
    const recorder = new EventBroadcaster({ ...basics, logger }).recorder("tester");
    // The first is being written while the others wait.
    for (let i = 0; i < 1_004; i++) recorder.event(things, thing(`web-${i}`), "Normal", "Started", "m");
    await activity.whenIdle();
    expect((await client.list(events)).items).toHaveLength(1_001);
    expect(lines).toEqual([
      'warn too many events are waiting, some are dropped {"reason":"Started"}',
      'warn events were dropped {"count":3}',
    ]);
  });

  it("puts events of objects without a namespace into default", async () => {
    const { recorder, written } = setUp();
    recorder.event(things, { metadata: { name: "node" } }, "Normal", "R", "m");
    expect((await written())[0]?.metadata.namespace).toBe("default");
  });

  it("tries again while the server is away, idle meanwhile, and gives up when it is stopped", async () => {
    const { recorder, written, clock, transport, broadcaster, activity } = setUp();
    transport.fail = () => new Error("connection refused");
    recorder.event(things, object, "Normal", "R", "m");
    await activity.whenIdle();
    transport.fail = () => undefined;
    expect(await written()).toHaveLength(0);
    await clock.advance(10_000);
    expect(await written()).toHaveLength(1);
    transport.fail = () => new Error("connection refused");
    recorder.event(things, object, "Normal", "S", "m");
    await activity.whenIdle();
    await broadcaster.stop();
    expect(activity.isIdle).toBe(true);
  });
});
