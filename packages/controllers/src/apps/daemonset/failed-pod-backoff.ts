import type { Clock } from "@binnacle/base";

/** Source: kubernetes v1.36 cmd/kube-controller-manager/app/apps.go, flowcontrol.NewBackOff(1*time.Second, 15*time.Minute). */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;

/** How long a failed pod stays before it is replaced: longer each time, so that a node that refuses it is left in peace. */
export class FailedPodBackoff {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { waitMs: number; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long to wait before replacing the pod at this place; 0 allows it, and makes the next wait longer. */
  waitMs(place: string): number {
    const now = this.#clock.now();
    const entry = this.#entries.get(place);
    if (entry !== undefined && now < entry.until) return entry.until - now;
    const isOld = entry === undefined || now - entry.until > 2 * LONGEST_WAIT_MS;
    const waitMs = isOld ? FIRST_WAIT_MS : Math.min(LONGEST_WAIT_MS, entry.waitMs * 2);
    this.#entries.set(place, { waitMs, until: now + waitMs });
    return 0;
  }

  /** Forgets places that start with this. */
  forget(prefix: string): void {
    for (const place of this.#entries.keys()) if (place.startsWith(prefix)) this.#entries.delete(place);
  }
}
