import { createHash } from "node:crypto";
import type { Clock, Timer } from "@binnacle/base";

/** How the requests of a level wait. Source: flowcontrol/v1 QueuingConfiguration. */
export interface QueueShape {
  readonly queues: number;
  /** Among how many queues one flow is spread. */
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** What a request is guessed to take until it is known, in seconds. Source: fairqueuing/queueset, estimatedServiceDuration. */
const ESTIMATED_SECONDS = 0.003;
const MAX_REMEMBERED_HANDS = 1_000;

interface Waiting {
  readonly start: (release: () => void) => void;
  readonly refuse: (reason: unknown) => void;
  forget: () => void;
}

interface Queue {
  readonly waiting: Waiting[];
  executing: number;
  /** The queue that has had the least is served next. */
  virtualStart: number;
}

/**
 * Lets the requests of one priority level share its seats: every flow is spread over a hand of queues, and the queue
 * that has had the least time so far is served next, so that a flow with many requests waits for itself.
 *
 * Source: kubernetes v1.36 apiserver/pkg/util/flowcontrol/fairqueuing/queueset, shufflesharding.
 */
export class FairQueues {
  readonly #clock: Clock;
  readonly #shape: QueueShape;
  readonly #waitLimitMs: number;
  /** Takes a seat when one is free; the returned function gives it back. */
  readonly #takeSeat: () => (() => void) | undefined;
  readonly #queues: Queue[];
  readonly #hands = new Map<string, readonly number[]>();
  #virtualTime = 0;
  #advancedAtMs: number;
  #waiting = 0;
  #executing = 0;
  #lastServed = 0;

  constructor(options: {
    clock: Clock;
    shape: QueueShape;
    waitLimitMs: number;
    takeSeat: () => (() => void) | undefined;
  }) {
    this.#clock = options.clock;
    this.#shape = options.shape;
    this.#waitLimitMs = options.waitLimitMs;
    this.#takeSeat = options.takeSeat;
    this.#advancedAtMs = options.clock.now();
    this.#queues = Array.from({ length: options.shape.queues }, () => ({
      waiting: [],
      executing: 0,
      virtualStart: 0,
    }));
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Starts a request of a flow now or when its turn comes; the function it gives must be called when the request is
   * done. Undefined when the flow's queues are full. Rejects with `onTimeout()` after the wait limit, and with the
   * signal's reason.
   */
  enter(
    flow: string,
    signal: AbortSignal,
    onTimeout: () => Error,
  ): (() => void) | Promise<() => void> | undefined {
    this.#advance();
    const queue = this.#shortest(this.#handOf(flow));
    if (queue.waiting.length >= this.#shape.queueLengthLimit) return undefined;
    if (queue.waiting.length === 0 && queue.executing === 0) queue.virtualStart = this.#virtualTime;
    if (this.#waiting === 0) {
      const giveBack = this.#takeSeat();
      if (giveBack !== undefined) return this.#execute(queue, giveBack);
    }
    return this.#wait(queue, signal, onTimeout);
  }

  /** Serves whoever waits while there are seats. */
  dispatch(): void {
    this.#advance();
    while (this.#waiting > 0) {
      const giveBack = this.#takeSeat();
      if (giveBack === undefined) return;
      const queue = this.#nextQueue();
      const next = queue.waiting.shift()!; // nextQueue gives one that somebody waits in.
      this.#waiting--;
      next.forget();
      next.start(this.#execute(queue, giveBack));
    }
  }

  #wait(queue: Queue, signal: AbortSignal, onTimeout: () => Error): Promise<() => void> {
    return new Promise((start, refuse) => {
      const leave = (reason: unknown): void => {
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
        this.#waiting--;
        waiting.forget();
        refuse(reason);
      };
      const onAbort = (): void => leave(signal.reason);
      const timer: Timer = this.#clock.setTimer(this.#waitLimitMs, () => leave(onTimeout()));
      const waiting: Waiting = {
        start,
        refuse,
        forget: () => {
          timer.cancel();
          signal.removeEventListener("abort", onAbort);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      queue.waiting.push(waiting);
      this.#waiting++;
    });
  }

  #execute(queue: Queue, giveBack: () => void): () => void {
    const startedAtMs = this.#clock.now();
    queue.executing++;
    this.#executing++;
    queue.virtualStart += ESTIMATED_SECONDS;
    return () => {
      this.#advance();
      queue.executing--;
      this.#executing--;
      queue.virtualStart += (this.#clock.now() - startedAtMs) / 1_000 - ESTIMATED_SECONDS;
      giveBack();
    };
  }

  /** Virtual time runs slower the more queues want a share. */
  #advance(): void {
    const nowMs = this.#clock.now();
    const seconds = (nowMs - this.#advancedAtMs) / 1_000;
    this.#advancedAtMs = nowMs;
    if (seconds <= 0 || this.#executing === 0) return;
    let active = 0;
    for (const { waiting, executing } of this.#queues) if (waiting.length > 0 || executing > 0) active++;
    this.#virtualTime += (seconds * this.#executing) / active;
  }

  /** Of queues that have had the same, the one after the last served. */
  #nextQueue(): Queue {
    let best: number | undefined;
    for (let i = 1; i <= this.#queues.length; i++) {
      const index = (this.#lastServed + i) % this.#queues.length;
      const queue = this.#queues[index]!;
      if (queue.waiting.length === 0) continue;
      if (best === undefined || queue.virtualStart < this.#queues[best]!.virtualStart) best = index;
    }
    this.#lastServed = best!; // Somebody waits.
    return this.#queues[this.#lastServed]!;
  }

  #shortest(hand: readonly number[]): Queue {
    let best: Queue | undefined;
    for (const index of hand) {
      const queue = this.#queues[index]!;
      const size = queue.waiting.length + queue.executing;
      if (best === undefined || size < best.waiting.length + best.executing) best = queue;
    }
    return best!; // A hand holds at least one.
  }

  #handOf(flow: string): readonly number[] {
    let hand = this.#hands.get(flow);
    if (hand === undefined) {
      if (this.#hands.size >= MAX_REMEMBERED_HANDS) this.#hands.clear();
      hand = dealHand(flow, this.#shape);
      this.#hands.set(flow, hand);
    }
    return hand;
  }
}

/** Different queues for a flow, the same each time: cards dealt from a deck that is shuffled by the flow's hash. */
export function dealHand(
  flow: string,
  { queues, handSize }: Pick<QueueShape, "queues" | "handSize">,
): number[] {
  let entropy = createHash("sha256").update(flow).digest().readBigUInt64LE();
  const deck = Array.from({ length: queues }, (_, index) => index);
  const hand: number[] = [];
  for (let i = 0; i < Math.min(handSize, queues); i++) {
    const left = BigInt(deck.length);
    hand.push(...deck.splice(Number(entropy % left), 1));
    entropy /= left;
  }
  return hand;
}
