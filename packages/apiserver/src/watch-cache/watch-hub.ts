import type { Storage, StoreEvent, StoreWatch } from "@binnacle/storage";
import type { WatchFrame } from "../request/api-response.ts";

/** An event on its way to many watchers, with the frames that were encoded for the ones before. */
export interface HubEvent extends StoreEvent {
  /** Encoded lines by representation; lives as long as the event is being passed on. */
  readonly frames: Map<string, WatchFrame>;
}

type Subscriber = (events: readonly HubEvent[]) => void;

/**
 * Passes every write on to the watchers of its resource. One watch on the store serves all of them, and what one
 * watcher had encoded the others reuse.
 */
export class WatchHub {
  readonly #storage: Storage;
  /** By the resource's prefix, then by the prefix that is watched. */
  readonly #subscribers = new Map<string, Map<string, Set<Subscriber>>>();
  readonly #watch: StoreWatch;
  readonly #revisionWaiters = new Set<{ revision: number; wake: () => void }>();

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#watch = storage.watch({
      prefix: "/registry/",
      afterRevision: storage.revision,
      listener: (events) => this.#dispatch(events),
    });
  }

  /** How many watches are open. */
  get size(): number {
    let size = 0;
    for (const byPrefix of this.#subscribers.values()) for (const set of byPrefix.values()) size += set.size;
    return size;
  }

  /**
   * Every event under `prefix` after a revision. What is past is returned, the rest arrives in `onEvents`, with
   * nothing lost or doubled in between. Throws `CompactedError`.
   */
  subscribe(options: {
    /** The key prefix of the resource; `prefix` starts with it. */
    readonly resourcePrefix: string;
    readonly prefix: string;
    /** Undefined: only what is yet to come. */
    readonly afterRevision: number | undefined;
    readonly onEvents: (events: readonly HubEvent[]) => void;
  }): { past: readonly HubEvent[]; stop: () => void } {
    const { resourcePrefix, prefix, afterRevision, onEvents } = options;
    let past: readonly HubEvent[] = [];
    if (afterRevision !== undefined && afterRevision < this.#storage.revision) {
      const history = this.#storage.watch({ prefix, afterRevision, listener: () => {} });
      history.stop();
      past = history.past.map((event) => ({ ...event, frames: new Map() }));
    }
    // A wrapper, as one function may subscribe twice.
    const subscriber: Subscriber = (events) => onEvents(events);
    this.#add(resourcePrefix, prefix, subscriber);
    return { past, stop: () => this.#remove(resourcePrefix, prefix, subscriber) };
  }

  #add(resourcePrefix: string, prefix: string, subscriber: Subscriber): void {
    const byPrefix = this.#subscribers.get(resourcePrefix) ?? new Map<string, Set<Subscriber>>();
    this.#subscribers.set(resourcePrefix, byPrefix);
    const set = byPrefix.get(prefix) ?? new Set();
    byPrefix.set(prefix, set);
    set.add(subscriber);
  }

  #remove(resourcePrefix: string, prefix: string, subscriber: Subscriber): void {
    const byPrefix = this.#subscribers.get(resourcePrefix);
    const set = byPrefix?.get(prefix);
    if (byPrefix === undefined || set === undefined) return; // Stopped before.
    set.delete(subscriber);
    if (set.size === 0) byPrefix.delete(prefix);
    if (byPrefix.size === 0) this.#subscribers.delete(resourcePrefix);
  }

  /** Resolves when the store has reached a revision; the returned function gives up waiting. */
  whenRevision(revision: number, wake: () => void): () => void {
    const waiter = { revision, wake };
    this.#revisionWaiters.add(waiter);
    return () => void this.#revisionWaiters.delete(waiter);
  }

  stop(): void {
    this.#watch.stop();
    this.#subscribers.clear();
  }

  #dispatch(events: readonly StoreEvent[]): void {
    for (let from = 0; from < events.length; ) {
      const resourcePrefix = resourcePrefixOf(events[from]!.entry.key);
      let to = from + 1;
      while (to < events.length && events[to]!.entry.key.startsWith(resourcePrefix)) to++;
      const byPrefix = this.#subscribers.get(resourcePrefix);
      if (byPrefix !== undefined) {
        const batch: HubEvent[] = [];
        for (let i = from; i < to; i++) batch.push({ ...events[i]!, frames: new Map() });
        for (const [prefix, subscribers] of [...byPrefix]) {
          const relevant = batch.filter((event) => event.entry.key.startsWith(prefix));
          if (relevant.length === 0) continue;
          for (const subscriber of [...subscribers]) subscriber(relevant);
        }
      }
      from = to;
    }
    const newest = events.at(-1)?.revision ?? 0;
    for (const waiter of this.#revisionWaiters) {
      if (waiter.revision > newest) continue;
      this.#revisionWaiters.delete(waiter);
      waiter.wake();
    }
  }
}

/** `/registry/GROUP/RESOURCE/` of a key. */
function resourcePrefixOf(key: string): string {
  const group = key.indexOf("/", "/registry/".length);
  return key.slice(0, key.indexOf("/", group + 1) + 1);
}
