import { describe, expect, it } from "vitest";
import { Activity } from "./activity.ts";
import { sleep, VirtualClock } from "./clock.ts";

describe("VirtualClock", () => {
  it("fires timers in order of due time, then of creation, and shows each its own time", async () => {
    const clock = new VirtualClock({ startMs: 0 });
    const fired: string[] = [];
    const set = (name: string, delayMs: number) =>
      clock.setTimer(delayMs, () => fired.push(`${name}@${clock.now()}`));
    set("b", 20);
    set("a", 10);
    set("c", 20);
    set("never", 50).cancel();
    await clock.advance(30);
    expect([...fired, clock.now()]).toEqual(["a@10", "b@20", "c@20", 30]);
  });

  it("fires timers that timers set while time moves", async () => {
    const clock = new VirtualClock({ startMs: 0 });
    let ticks = 0;
    const tick = (): void => {
      ticks++;
      clock.setTimer(10, tick);
    };
    clock.setTimer(10, tick);
    await clock.advance(100);
    expect(ticks).toBe(10);
  });

  it("ends a sleep early when it is aborted", async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const sleeping = sleep(clock, 1_000, controller.signal);
    controller.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    expect(clock.nextDueAt).toBeUndefined();
  });
});

describe("Activity", () => {
  it("tells when nothing is under way", async () => {
    const activity = new Activity();
    activity.begin();
    let isIdle = false;
    const waiting = activity.whenIdle().then(() => {
      isIdle = true;
    });
    await Promise.resolve();
    expect(isIdle).toBe(false);
    activity.end();
    await waiting;
    expect([isIdle, activity.isIdle]).toEqual([true, true]);
  });
});
