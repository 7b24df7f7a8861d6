import type { Random } from "./random.ts";

/** How long to wait before the next try: grows by `factor` up to `maxMs`, then stays. */
export interface BackoffOptions {
  /** The first wait, in milliseconds. */
  readonly initialMs: number;
  /** Growth from one wait to the next. Default 2. */
  readonly factor?: number;
  /** The longest wait, in milliseconds, before jitter. */
  readonly maxMs: number;
  /** Up to this share of the wait is added at random, 0 to 1. Default 0. */
  readonly jitter?: number;
}

/** Counts failures in a row and says how long to wait after each. */
export class Backoff {
  #failures = 0;
  readonly #options: BackoffOptions;
  readonly #random: Random;

  constructor(options: BackoffOptions, random: Random) {
    this.#options = options;
    this.#random = random;
  }

  /** The wait before the next try, in milliseconds; counts one more failure. */
  next(): number {
    const { initialMs, factor = 2, maxMs, jitter = 0 } = this.#options;
    const plainMs = Math.min(maxMs, initialMs * factor ** this.#failures++);
    return plainMs * (1 + jitter * this.#random.next());
  }

  /** A success: the next wait is the first one again. */
  reset(): void {
    this.#failures = 0;
  }
}
