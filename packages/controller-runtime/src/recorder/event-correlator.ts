import type { Event } from "@binnacle/api";
import type { Clock } from "@binnacle/base";
import { TokenBucket } from "../workqueue/rate-limiter.ts";

/** What to do about an event: write it, count it on one that is written, or drop it. */
export type Correlated =
  | { readonly action: "create"; readonly event: Event; readonly key: string }
  | { readonly action: "count"; readonly event: Event; readonly key: string }
  | { readonly action: "drop" };

/** Source: kubernetes v1.36 client-go/tools/record/events_cache.go, constants at the top. */
const MAX_CACHED_KEYS = 4096;
const SPAM_BURST = 25;
const SPAM_PER_SECOND = 1 / 300;
const MAX_SIMILAR_EVENTS = 10;
const SIMILAR_WITHIN_MS = 600_000;
const AGGREGATE_PREFIX = "(combined from similar events): ";

interface Similar {
  readonly messages: Set<string>;
  lastAt: number;
}

/**
 * Keeps events from flooding the server: equal ones are counted on the first, many similar ones become one, and one
 * object's events from one source are limited to a burst of 25 and one in five minutes.
 *
 * Source: kubernetes v1.36 client-go/tools/record/events_cache.go, EventCorrelator.
 */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #similar = new Map<string, Similar>();
  /** The last written state of each event. */
  readonly #written = new Map<string, Event>();
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  correlate(fresh: Event): Correlated {
    const { event, key } = this.#aggregate(fresh);
    const last = this.#written.get(key);
    if (!this.#spamBucket(event).tryTake()) return { action: "drop" };
    if (last === undefined) return { action: "create", event, key };
    return {
      action: "count",
      key,
      event: {
        ...event,
        metadata: last.metadata,
        count: (last.count ?? 1) + 1,
        ...(last.firstTimestamp === undefined ? {} : { firstTimestamp: last.firstTimestamp }),
      },
    };
  }

  /** The server has this event now. */
  wrote(key: string, event: Event): void {
    put(this.#written, key, event);
  }

  /** More than ten events that differ only in their message, within ten minutes, become one. */
  #aggregate(event: Event): { event: Event; key: string } {
    const similarKey = join([event.source, reference(event), event.type, event.reason]);
    // Source: client-go tools/record/events_cache.go, getEventKey: the same said of two containers is said twice.
    const fullKey = join([similarKey, event.involvedObject.fieldPath, event.message]);
    const now = this.#clock.now();
    let similar = this.#similar.get(similarKey);
    if (similar === undefined || now - similar.lastAt > SIMILAR_WITHIN_MS)
      similar = { messages: new Set(), lastAt: now };
    similar.lastAt = now;
    similar.messages.add(event.message ?? "");
    put(this.#similar, similarKey, similar);
    if (similar.messages.size < MAX_SIMILAR_EVENTS) return { event, key: fullKey };
    const oldest = similar.messages.values().next().value;
    if (oldest !== undefined) similar.messages.delete(oldest);
    return { event: { ...event, message: AGGREGATE_PREFIX + event.message }, key: similarKey };
  }

  #spamBucket(event: Event): TokenBucket {
    const key = join([event.source, reference(event)]);
    const bucket =
      this.#buckets.get(key) ??
      new TokenBucket(this.#clock, { perSecond: SPAM_PER_SECOND, burst: SPAM_BURST });
    put(this.#buckets, key, bucket);
    return bucket;
  }
}

function reference({ involvedObject }: Event): unknown {
  const { kind, namespace, name, uid, apiVersion } = involvedObject;
  return [kind, namespace, name, uid, apiVersion];
}

function join(parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/** The key that was used last is the last to be dropped. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_CACHED_KEYS) return;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
}
