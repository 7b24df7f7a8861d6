import { Activity, VirtualClock } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import {
  createBucketRateLimiter,
  createDefaultRateLimiter,
  createExponentialRateLimiter,
  TokenBucket,
} from "./rate-limiter.ts";
import { WorkQueue } from "./work-queue.ts";

function makeQueue() {
  const clock = new VirtualClock();
  const activity = new Activity();
  return { clock, activity, queue: new WorkQueue({ clock, activity }) };
}

describe("WorkQueue", () => {
  it("gives keys out in order, each once", async () => {
    const { queue } = makeQueue();
    for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
    expect(queue.length).toBe(3);
    expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(["a", "b", "c"]);
  });

  it("never gives a key to two workers, and processes it again when it was added meanwhile", async () => {
    const { queue } = makeQueue();
    queue.add("a");
    expect(await queue.take()).toBe("a");
    queue.add("a");
    queue.add("b");
    expect(await queue.take()).toBe("b");
    const next = queue.take();
    queue.done("b");
    queue.done("a");
    expect(await next).toBe("a");
  });

  it("hands a key straight to a waiting worker", async () => {
    const { queue } = makeQueue();
    const [first, second] = [queue.take(), queue.take()];
    queue.add("a");
    queue.add("a");
    queue.add("b");
    expect(await first).toBe("a");
    expect(await second).toBe("b");
    queue.done("a");
    expect(await queue.take()).toBe("a");
  });

  it("adds a key after its wait, at the earlier of two times", async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter("a", 100);
    queue.addAfter("a", 50);
    queue.addAfter("a", 200);
    await clock.advance(49);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
    expect(queue.delayedLength).toBe(0);
  });

  it("counts queued and processed keys as activity, waiting ones not", async () => {
    const { queue, activity, clock } = makeQueue();
    queue.addAfter("late", 10);
    expect(activity.isIdle).toBe(true);
    queue.add("a");
    queue.add("a");
    expect(activity.running).toBe(1);
    await queue.take();
    queue.add("a");
    expect(activity.running).toBe(1);
    queue.done("a");
    expect(activity.running).toBe(1);
    await queue.take();
    queue.done("a");
    queue.done("a");
    expect(activity.isIdle).toBe(true);
    await clock.advance(10);
    expect(activity.running).toBe(1);
  });

  it("lets workers finish what is queued when it is shut down", async () => {
    const { queue, activity } = makeQueue();
    queue.add("a");
    queue.addAfter("b", 10);
    let isDrained = false;
    const drained = queue.drain().then(() => {
      isDrained = true;
    });
    queue.add("c");
    expect(await queue.take()).toBe("a");
    expect(await queue.take()).toBeUndefined();
    expect(isDrained).toBe(false);
    queue.done("a");
    await drained;
    expect(activity.isIdle).toBe(true);
  });

  it("wakes waiting workers when it is shut down", async () => {
    const { queue } = makeQueue();
    const waiting = queue.take();
    queue.shutDown();
    expect(await waiting).toBeUndefined();
  });

  it("keeps its promises under random use", async () => {
    const { queue, activity } = makeQueue();
    const processing = new Set<string>();
    let processed = 0;
    const worker = async (seed: number): Promise<void> => {
      for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
        expect(processing.has(key)).toBe(false);
        processing.add(key);
        for (let i = 0; i < seed; i++) await Promise.resolve();
        if (++processed < 300) queue.add(`k${(processed * 7) % 5}`);
        processing.delete(key);
        queue.done(key);
      }
    };
    const workers = [worker(1), worker(2), worker(3)];
    for (let i = 0; i < 5; i++) queue.add(`k${i}`);
    await activity.whenIdle();
    queue.shutDown();
    await Promise.all(workers);
    expect(processed).toBeGreaterThanOrEqual(300);
  });
});

describe("rate limiters", () => {
  it("double the wait of a key up to the limit and start over when it is forgotten", () => {
    const limiter = createExponentialRateLimiter({ baseMs: 5, maxMs: 30 });
    expect([1, 2, 3, 4, 5].map(() => limiter.when("a"))).toEqual([5, 10, 20, 30, 30]);
    expect(limiter.when("b")).toBe(5);
    expect(limiter.failures("a")).toBe(5);
    limiter.forget("a");
    expect(limiter.when("a")).toBe(5);
  });

  it("spread all keys over time once the burst is used up", async () => {
    const clock = new VirtualClock();
    const limiter = createBucketRateLimiter(clock, { perSecond: 10, burst: 2 });
    expect([1, 2, 3, 4].map(() => limiter.when("a"))).toEqual([0, 0, 100, 200]);
    await clock.advance(1000);
    expect(limiter.when("a")).toBe(0);
  });

  it("combine into client-go's default", () => {
    const limiter = createDefaultRateLimiter(new VirtualClock());
    expect([1, 2, 3].map(() => limiter.when("a"))).toEqual([5, 10, 20]);
    for (let i = 0; i < 97; i++) limiter.when(`other${i}`);
    expect(limiter.when("b")).toBeCloseTo(100);
  });

  it("give a token only when there is one", async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket(clock, { perSecond: 1, burst: 1 });
    expect([bucket.tryTake(), bucket.tryTake()]).toEqual([true, false]);
    await clock.advance(1000);
    expect(bucket.tryTake()).toBe(true);
  });
});
