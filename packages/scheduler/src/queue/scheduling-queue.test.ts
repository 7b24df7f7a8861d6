import type { Pod } from "@binnacle/api";
import { Activity, VirtualClock } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { SchedulingQueue } from "./scheduling-queue.ts";

const pod = (name: string, priority = 0): Pod => ({
  metadata: { name, namespace: "default", uid: name },
  spec: { containers: [], priority },
});

function setUp() {
  const clock = new VirtualClock({ startMs: 0 });
  const activity = new Activity();
  const queue = new SchedulingQueue({ clock, activity, onWork: () => {} });
  return { clock, activity, queue };
}

describe("SchedulingQueue", () => {
  it("gives the most important pod first, and equals in order of arrival", () => {
    const { queue } = setUp();
    for (const each of [pod("a"), pod("b", 5), pod("c")]) queue.add(each);
    expect(
      [queue.take(), queue.take(), queue.take(), queue.take()].map((each) => each?.metadata.name),
    ).toEqual(["b", "a", "c", undefined]);
  });

  it("keeps a parked pod until something changes and its back-off is over", async () => {
    const { clock, queue } = setUp();
    queue.add(pod("a"));
    queue.park(queue.take()!);
    await clock.advance(5_000);
    expect(queue.take()).toBeUndefined();
    queue.wakeAll();
    expect(queue.take()?.metadata.name).toBe("a");
  });

  it("makes a pod wait longer each time", async () => {
    const { clock, queue } = setUp();
    queue.add(pod("a"));
    for (const waitMs of [1_000, 2_000, 4_000, 8_000, 10_000]) {
      queue.park(queue.take()!);
      queue.wakeAll();
      await clock.advance(waitMs - 1);
      expect(queue.take()).toBeUndefined();
      await clock.advance(1);
      expect(queue.has(pod("a"))).toBe(true);
    }
  });

  it("counts what waits for a try as activity, and what is parked not", () => {
    const { activity, queue } = setUp();
    queue.add(pod("a"));
    queue.add(pod("a"));
    expect(activity.running).toBe(1);
    queue.park(queue.take()!);
    queue.finished();
    expect(activity.isIdle).toBe(true);
    queue.remove(pod("a"));
    expect(activity.isIdle).toBe(true);
  });
});
