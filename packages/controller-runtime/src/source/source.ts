import type { KubeObject, ResourceType } from "@binnacle/apimachinery";
import type { ObjectKey } from "@binnacle/client";
import type { Cache } from "../cache/cache.ts";
import { formatKey } from "../cache/object-key.ts";
import type { EventHandler } from "../handler/handler.ts";
import type { Predicate } from "../predicate/predicate.ts";

/** Takes keys to reconcile. */
export interface Enqueue {
  add(key: ObjectKey): void;
  addAfter(key: ObjectKey, delayMs: number): void;
}

/** Where keys come from, once a controller has started. */
export interface Source {
  /** Starts; gives what stops it. */
  start(enqueue: Enqueue, context: { readonly cache: Cache }): () => void;
  /** What must have arrived before the first key is reconciled. */
  readonly type?: ResourceType;
}

/** Changes of the objects of one resource, turned into keys by a handler. */
export function kindSource<T extends KubeObject>(
  type: ResourceType<T>,
  handler: EventHandler<T>,
  predicates: readonly Predicate<T>[] = [],
): Source {
  return {
    type,
    start(enqueue, context) {
      return context.cache.informer(type).addHandler((event) => {
        if (!predicates.every((holds) => holds(event))) return;
        for (const key of handler(event, context)) enqueue.add(key);
      });
    },
  };
}

/** Keys that a program sends itself, for what no object tells of. */
export interface KeyChannel extends Source {
  /** Enqueues the key in every controller that has this source and runs. */
  send(key: ObjectKey): void;
}

export function createKeyChannel(): KeyChannel {
  const receivers = new Set<Enqueue>();
  return {
    send(key) {
      for (const receiver of receivers) receiver.add(key);
    },
    start(enqueue) {
      receivers.add(enqueue);
      return () => void receivers.delete(enqueue);
    },
  };
}

/** An {@link Enqueue} that holds keys as text, as work queues do. */
export function enqueueInto(queue: {
  add(key: string): void;
  addAfter(key: string, delayMs: number): void;
}): Enqueue {
  return {
    add: (key) => queue.add(formatKey(key)),
    addAfter: (key, delayMs) => queue.addAfter(formatKey(key), delayMs),
  };
}
