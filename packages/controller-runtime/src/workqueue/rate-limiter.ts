import type { Clock } from "@binnacle/base";

/** Decides how long a key waits before it is tried again. */
export interface RateLimiter {
  /** The wait in milliseconds before the next try of this key; counts one more failure. */
  when(key: string): number;
  /** Forgets the failures of this key. */
  forget(key: string): void;
  /** Failures since the key was last forgotten. */
  failures(key: string): number;
}

/**
 * The wait of a key doubles with each failure.
 *
 * Source: kubernetes v1.36 client-go/util/workqueue/default_rate_limiters.go, ItemExponentialFailureRateLimiter.
 */
export function createExponentialRateLimiter(options: { baseMs: number; maxMs: number }): RateLimiter {
  const counts = new Map<string, number>();
  return {
    when(key) {
      const failures = counts.get(key) ?? 0;
      counts.set(key, failures + 1);
      return Math.min(options.maxMs, options.baseMs * 2 ** failures);
    },
    forget: (key) => void counts.delete(key),
    failures: (key) => counts.get(key) ?? 0,
  };
}

/** So many tries per second over all keys, with a burst. Knows no keys. */
export function createBucketRateLimiter(
  clock: Clock,
  options: { perSecond: number; burst: number },
): RateLimiter {
  const bucket = new TokenBucket(clock, options);
  return { when: () => bucket.reserve(), forget: () => {}, failures: () => 0 };
}

/** The longest of the waits that several limiters ask for. */
export function createMaxOfRateLimiter(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    when: (key) => Math.max(...limiters.map((limiter) => limiter.when(key))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
    failures: (key) => Math.max(...limiters.map((limiter) => limiter.failures(key))),
  };
}

/**
 * 5 ms, doubling to 1,000 s per key; 10 per second and a burst of 100 over all keys.
 *
 * Source: kubernetes v1.36 client-go/util/workqueue/default_rate_limiters.go, DefaultTypedControllerRateLimiter.
 */
export function createDefaultRateLimiter(clock: Clock): RateLimiter {
  return createMaxOfRateLimiter(
    createExponentialRateLimiter({ baseMs: 5, maxMs: 1_000_000 }),
    createBucketRateLimiter(clock, { perSecond: 10, burst: 100 }),
  );
}

/** Tokens that grow back with time. Starts full. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #countedAt: number;

  constructor(clock: Clock, options: { perSecond: number; burst: number }) {
    this.#clock = clock;
    this.#perSecond = options.perSecond;
    this.#burst = options.burst;
    this.#tokens = options.burst;
    this.#countedAt = clock.now();
  }

  /** Takes a token if there is one. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Takes a token, now or in the future; gives the wait in milliseconds until it is there. */
  reserve(): number {
    this.#refill();
    this.#tokens--;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }

  #refill(): void {
    const now = this.#clock.now();
    const elapsedMs = Math.max(0, now - this.#countedAt);
    this.#countedAt = now;
    this.#tokens = Math.min(this.#burst, this.#tokens + (elapsedMs / 1000) * this.#perSecond);
  }
}
