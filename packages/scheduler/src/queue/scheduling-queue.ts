import type { Pod } from "@binnacle/api";
import { type Activity, type Clock, Heap, type Timer } from "@binnacle/base";

interface QueuedPod {
  readonly key: string;
  readonly pod: Pod;
  readonly order: number;
}

interface ParkedPod {
  readonly pod: Pod;
  readonly tries: number;
  readonly parkedAtMs: number;
}

/** Source: kubernetes v1.36 pkg/scheduler/backend/queue/scheduling_queue.go. */
const INITIAL_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 10_000;
const FLUSH_PERIOD_MS = 30_000;
const MAX_PARKED_MS = 5 * 60_000;

/**
 * Pods that wait for a node: those to be tried now, most important first, and those that could not be placed, which
 * come back when something changes that may help them, after a back-off. Bounded by the number of pods in the cluster.
 */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #activity: Activity | undefined;
  readonly #onWork: () => void;
  readonly #active = new Heap<QueuedPod>(isBefore);
  /** The newest version of each pod to be tried now; the heap may hold older entries, which are passed over. */
  readonly #activePods = new Map<string, QueuedPod>();
  readonly #parked = new Map<string, ParkedPod>();
  readonly #backingOff = new Map<string, Timer>();
  readonly #tries = new Map<string, number>();
  #order = 0;
  #flushTimer: Timer | undefined;

  /** `onWork` is called when a pod can be taken. */
  constructor(options: { clock: Clock; activity?: Activity | undefined; onWork: () => void }) {
    this.#clock = options.clock;
    this.#activity = options.activity;
    this.#onWork = options.onWork;
  }

  start(): void {
    const flush = (): void => {
      const now = this.#clock.now();
      for (const [key, parked] of this.#parked) if (now - parked.parkedAtMs >= MAX_PARKED_MS) this.#wake(key);
      this.#flushTimer = this.#clock.setTimer(FLUSH_PERIOD_MS, flush);
    };
    this.#flushTimer = this.#clock.setTimer(FLUSH_PERIOD_MS, flush);
  }

  stop(): void {
    this.#flushTimer?.cancel();
    for (const timer of this.#backingOff.values()) timer.cancel();
    for (const _ of this.#activePods) this.#activity?.end();
    this.#activePods.clear();
    this.#parked.clear();
    this.#backingOff.clear();
  }

  /** A pod that is new or has changed. */
  add(pod: Pod): void {
    const key = keyOf(pod);
    if (this.#backingOff.has(key)) {
      const parked = this.#parked.get(key);
      if (parked !== undefined) this.#parked.set(key, { ...parked, pod });
      return;
    }
    this.#parked.delete(key);
    this.#activate(key, pod);
  }

  /** Newer data of a pod that is already known; one that was given up on is not tried again for it. */
  refresh(pod: Pod): void {
    const key = keyOf(pod);
    const parked = this.#parked.get(key);
    if (parked !== undefined) this.#parked.set(key, { ...parked, pod });
    else if (this.#activePods.has(key)) this.#activate(key, pod);
  }

  has(pod: Pod): boolean {
    const key = keyOf(pod);
    return this.#activePods.has(key) || this.#parked.has(key);
  }

  remove(pod: Pod): void {
    const key = keyOf(pod);
    if (this.#activePods.delete(key)) this.#activity?.end();
    this.#parked.delete(key);
    this.#backingOff.get(key)?.cancel();
    this.#backingOff.delete(key);
    this.#tries.delete(key);
  }

  /** The next pod to try; undefined when none is waiting. The caller ends the activity with {@link finished}. */
  take(): Pod | undefined {
    for (let entry = this.#active.pop(); entry !== undefined; entry = this.#active.pop()) {
      if (this.#activePods.get(entry.key) !== entry) continue;
      this.#activePods.delete(entry.key);
      return entry.pod;
    }
    return undefined;
  }

  /** A pod that was taken has been dealt with. */
  finished(): void {
    this.#activity?.end();
  }

  /** A pod that was taken cannot be placed now. */
  park(pod: Pod): void {
    const key = keyOf(pod);
    const tries = (this.#tries.get(key) ?? 0) + 1;
    this.#tries.set(key, tries);
    this.#parked.set(key, { pod, tries, parkedAtMs: this.#clock.now() });
  }

  /** Something changed that may help parked pods: each comes back when its back-off is over. */
  wakeAll(): void {
    for (const key of [...this.#parked.keys()]) this.#wake(key);
  }

  #wake(key: string): void {
    const parked = this.#parked.get(key);
    if (parked === undefined || this.#backingOff.has(key)) return;
    const backoffMs = Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** (parked.tries - 1));
    const restMs = parked.parkedAtMs + backoffMs - this.#clock.now();
    const release = (): void => {
      this.#backingOff.delete(key);
      const latest = this.#parked.get(key);
      if (latest === undefined) return;
      this.#parked.delete(key);
      this.#activate(key, latest.pod);
    };
    if (restMs <= 0) release();
    else this.#backingOff.set(key, this.#clock.setTimer(restMs, release));
  }

  #activate(key: string, pod: Pod): void {
    if (!this.#activePods.has(key)) this.#activity?.begin();
    const entry = { key, pod, order: this.#order++ };
    this.#activePods.set(key, entry);
    this.#active.push(entry);
    this.#onWork();
  }
}

function isBefore(a: QueuedPod, b: QueuedPod): boolean {
  const [left, right] = [a.pod.spec.priority ?? 0, b.pod.spec.priority ?? 0];
  return left > right || (left === right && a.order < b.order);
}

function keyOf(pod: Pod): string {
  return `${pod.metadata.namespace}/${pod.metadata.name}/${pod.metadata.uid}`;
}
