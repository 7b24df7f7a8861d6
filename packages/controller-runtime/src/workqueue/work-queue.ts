import type { Activity, Clock, Timer } from "@binnacle/base";
import { createDefaultRateLimiter, type RateLimiter } from "./rate-limiter.ts";

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** How long a failed key waits. Default: {@link createDefaultRateLimiter}. */
  readonly rateLimiter?: RateLimiter;
  /** Counts each key that is queued or being processed; keys that wait for their time do not count. */
  readonly activity?: Activity;
}

/**
 * Keys to process, each by one worker at a time.
 *
 * - A key that is added while it waits is there once.
 * - A key that is added while it is processed is processed again afterwards, not beside.
 * - Keys come out in the order they were added.
 * - After `shutDown` what is queued still comes out; what is added is dropped.
 *
 * The number of keys is bounded by the number of objects they name.
 *
 * Source: kubernetes v1.36 client-go/util/workqueue (queue.go, delaying_queue.go, rate_limiting_queue.go).
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #rateLimiter: RateLimiter;
  readonly #activity: Activity | undefined;
  /** In order; every key here is dirty and not processing. */
  #queue: string[] = [];
  #head = 0;
  /** Must be processed. */
  readonly #dirty = new Set<string>();
  /** Has been taken and not been given back. */
  readonly #processing = new Set<string>();
  readonly #delayed = new Map<string, { dueAt: number; timer: Timer }>();
  #takers: ((key: string | undefined) => void)[] = [];
  #isShutDown = false;
  #drained: (() => void)[] = [];

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#rateLimiter = options.rateLimiter ?? createDefaultRateLimiter(options.clock);
    this.#activity = options.activity;
  }

  /** How many keys wait to be taken. */
  get length(): number {
    return this.#queue.length - this.#head;
  }

  /** How many keys wait for their time. */
  get delayedLength(): number {
    return this.#delayed.size;
  }

  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  add(key: string): void {
    if (this.#isShutDown || this.#dirty.has(key)) return;
    this.#dirty.add(key);
    if (this.#processing.has(key)) return;
    this.#activity?.begin();
    this.#push(key);
  }

  /** Adds the key after a wait; a key that waits already is added at the earlier of both times. */
  addAfter(key: string, delayMs: number): void {
    if (this.#isShutDown) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const dueAt = this.#clock.now() + delayMs;
    const present = this.#delayed.get(key);
    if (present !== undefined) {
      if (present.dueAt <= dueAt) return;
      present.timer.cancel();
    }
    const timer = this.#clock.setTimer(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { dueAt, timer });
  }

  /** Adds the key after the wait its failures have earned it. */
  addRateLimited(key: string): void {
    this.addAfter(key, this.#rateLimiter.when(key));
  }

  /** The key has succeeded: its next failure waits as a first one does. */
  forget(key: string): void {
    this.#rateLimiter.forget(key);
  }

  /** How often in a row the key was added rate-limited. */
  failures(key: string): number {
    return this.#rateLimiter.failures(key);
  }

  /**
   * The next key, as soon as there is one; undefined when the queue is shut down and empty. Whoever takes a key must
   * call {@link done}.
   */
  take(): Promise<string | undefined> {
    if (this.length > 0) return Promise.resolve(this.#shift());
    if (this.#isShutDown) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#takers.push(resolve);
    });
  }

  /** The key has been processed. */
  done(key: string): void {
    if (!this.#processing.delete(key)) return;
    if (this.#dirty.has(key)) this.#push(key);
    else this.#activity?.end();
    this.#reportDrained();
  }

  /** Takes no more keys, drops those that wait for their time, and lets workers end when the rest is taken. */
  shutDown(): void {
    this.#isShutDown = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    // Takers wait only while nothing is queued.
    const takers = this.#takers;
    this.#takers = [];
    for (const take of takers) take(undefined);
    this.#reportDrained();
  }

  /** Shuts down; resolves when every key that was queued has been processed. */
  drain(): Promise<void> {
    this.shutDown();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#reportDrained();
    });
  }

  #push(key: string): void {
    const taker = this.#takers.shift();
    if (taker === undefined) {
      this.#queue.push(key);
      return;
    }
    this.#dirty.delete(key);
    this.#processing.add(key);
    taker(key);
  }

  #shift(): string {
    const key = this.#queue[this.#head++]!;
    if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    this.#dirty.delete(key);
    this.#processing.add(key);
    return key;
  }

  #reportDrained(): void {
    if (!this.#isShutDown || this.length > 0 || this.#processing.size > 0) return;
    const drained = this.#drained;
    this.#drained = [];
    for (const resolve of drained) resolve();
  }
}
