/**
 * The only file that reads the machine's time. Everything else takes a {@link Clock} at construction, so that a
 * test (or a whole simulated cluster) can run on a {@link VirtualClock}.
 */
import { Heap } from "./heap.ts";

/** A pending callback. Cancelling twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void;
}

/** Time as an argument. */
export interface Clock {
  /** Milliseconds since the Unix epoch. May carry a fraction. */
  now(): number;
  /** Calls back once, `delayMs` (at least 0) from now. Never calls back before it returns. */
  setTimer(delayMs: number, callback: () => void): Timer;
}

/** Timers of more than 2^31-1 ms overflow in Node and fire at once; longer ones are re-armed in steps of this. */
const LONGEST_NODE_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. Its timers do not keep the process alive when `unref` is set (default false). */
export function createRealClock(options: { unref?: boolean } = {}): Clock {
  return {
    now: () => Date.now(),
    setTimer(delayMs, callback) {
      const dueAt = Date.now() + delayMs;
      let handle: NodeJS.Timeout;
      const arm = (): void => {
        const restMs = Math.max(0, dueAt - Date.now());
        handle =
          restMs > LONGEST_NODE_TIMER_MS
            ? setTimeout(arm, LONGEST_NODE_TIMER_MS)
            : setTimeout(callback, restMs);
        if (options.unref === true) handle.unref();
      };
      arm();
      return { cancel: () => clearTimeout(handle) };
    },
  };
}

interface VirtualTimer {
  readonly dueAt: number;
  readonly order: number;
  readonly callback: () => void;
  cancelled: boolean;
}

/**
 * A clock that moves only when told to. Timers fire in order of due time, then of creation.
 *
 * `settle` (default: one turn of the event loop) is awaited after every fired timer, so that what it caused is
 * finished before time moves on.
 */
export class VirtualClock implements Clock {
  #nowMs: number;
  #order = 0;
  readonly #timers = new Heap<VirtualTimer>(isEarlier);
  readonly #settle: () => Promise<void>;

  constructor(options: { startMs?: number; settle?: () => Promise<void> } = {}) {
    this.#nowMs = options.startMs ?? Date.UTC(2026, 0, 1);
    this.#settle = options.settle ?? nextTurn;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const timer: VirtualTimer = {
      dueAt: this.#nowMs + Math.max(0, delayMs),
      order: this.#order++,
      callback,
      cancelled: false,
    };
    this.#timers.push(timer);
    return {
      cancel: () => {
        timer.cancelled = true;
      },
    };
  }

  /** When the next timer is due, in milliseconds since the epoch; undefined when none is set. */
  get nextDueAt(): number | undefined {
    this.#dropCancelled();
    return this.#timers.peek()?.dueAt;
  }

  /** Moves time forward by `ms`, firing every timer that falls due on the way and settling after each. */
  async advance(ms: number): Promise<void> {
    const until = this.#nowMs + ms;
    await this.#settle();
    for (;;) {
      this.#dropCancelled();
      const next = this.#timers.peek();
      if (next === undefined || next.dueAt > until) break;
      this.#timers.pop();
      this.#nowMs = Math.max(this.#nowMs, next.dueAt);
      next.callback();
      await this.#settle();
    }
    this.#nowMs = until;
  }

  #dropCancelled(): void {
    while (this.#timers.peek()?.cancelled === true) this.#timers.pop();
  }
}

/** Resolves when the running turn of the event loop, its microtasks included, is over. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits `delayMs` on this clock. Rejects with the signal's reason when it is aborted first. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.setTimer(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function isEarlier(a: VirtualTimer, b: VirtualTimer): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);
}
