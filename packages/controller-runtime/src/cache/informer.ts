import type { KubeObject, ResourceType } from "@binnacle/apimachinery";
import { type Activity, type Clock, deepFreeze, type Logger, type Random } from "@binnacle/base";
import type { Client, SelectOptions } from "@binnacle/client";
import { textKeyOf } from "./object-key.ts";
import { Reflector, type ReflectorSink } from "./reflector.ts";
import { type IndexFunction, Store } from "./store.ts";

/**
 * A change of one object, told after the store has it. An object that is new has no `old`, one that is gone no
 * `updated`. Changes in quick succession may be told as one; an object deleted and made again while the connection was
 * lost shows as an update with another uid.
 */
export interface ObjectEvent<T extends KubeObject = KubeObject> {
  readonly old?: T;
  readonly updated?: T;
  /** The object was there when the informer (or this handler) started. */
  readonly isInitial: boolean;
}

export type ObjectHandler<T extends KubeObject = KubeObject> = (event: ObjectEvent<T>) => void;

/** Which objects a cache keeps, and in what form. */
export interface InformerLimits<T extends KubeObject = KubeObject> {
  /** Default all. */
  readonly namespaces?: readonly string[];
  readonly labelSelector?: SelectOptions["labelSelector"];
  readonly fieldSelector?: SelectOptions["fieldSelector"];
  /** Changes what is kept, for instance to drop large fields. Gets a frozen object; gives it or a new one. */
  readonly transform?: (object: T) => T;
}

export interface InformerOptions<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly limits?: InformerLimits<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly activity?: Activity;
  readonly pageSize?: number;
  readonly watchTimeoutSeconds?: number;
}

/** A local copy of one resource that follows the server's, and tells its handlers of every change. */
export class Informer<T extends KubeObject = KubeObject> {
  readonly type: ResourceType<T>;
  readonly #store = new Store<T>();
  readonly #handlers = new Set<ObjectHandler<T>>();
  readonly #reflectors: Reflector<T>[];
  readonly #logger: Logger;
  readonly #transform: (object: T) => T;
  /** Namespaces (undefined: all) whose first list has not arrived. */
  readonly #awaited: Set<string | undefined>;
  #isStarted = false;
  #syncWaiters: (() => void)[] = [];

  constructor(options: InformerOptions<T>) {
    const { limits = {}, ...rest } = options;
    this.type = options.type;
    this.#logger = options.logger;
    this.#transform = limits.transform ?? ((object) => object);
    const { labelSelector, fieldSelector } = limits;
    const select = {
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
    const scopes = options.type.namespaced ? (limits.namespaces ?? [undefined]) : [undefined];
    this.#awaited = new Set(scopes);
    this.#reflectors = scopes.map(
      (namespace) =>
        new Reflector<T>({
          ...rest,
          select: namespace === undefined ? select : { ...select, namespace },
          sink: this.#sink(namespace),
        }),
    );
  }

  /** Whether every object that was there at the start has arrived. */
  get hasSynced(): boolean {
    return this.#awaited.size === 0;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  get size(): number {
    return this.#store.size;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const reflector of this.#reflectors) reflector.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.stop()));
  }

  /** Resolves when {@link hasSynced} is true. */
  whenSynced(): Promise<void> {
    if (this.hasSynced) return Promise.resolve();
    return new Promise((resolve) => {
      this.#syncWaiters.push(resolve);
    });
  }

  /** Tells a handler of every object that is there now, then of each change. Gives what takes it off again. */
  addHandler(handler: ObjectHandler<T>): () => void {
    for (const object of this.#store.list()) this.#call(handler, { updated: object, isInitial: true });
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.#store.addIndex(name, valuesOf);
  }

  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  list(): T[] {
    return this.#store.list();
  }

  byIndex(name: string, value: string): T[] {
    return this.#store.byIndex(name, value);
  }

  #sink(namespace: string | undefined): ReflectorSink<T> {
    return {
      replace: (objects) => this.#replace(objects, namespace),
      upsert: (object) => this.#upsert(object, false),
      remove: (object) => {
        const old = this.#store.delete(textKeyOf(object));
        if (old !== undefined) this.#tell({ old: this.#keep(object), isInitial: false });
      },
    };
  }

  #replace(objects: readonly T[], namespace: string | undefined): void {
    const isInitial = this.#awaited.has(namespace);
    const present = new Set<string>();
    for (const object of objects) present.add(textKeyOf(object));
    for (const key of [...this.#store.keys()]) {
      if (present.has(key)) continue;
      if (namespace !== undefined && !key.startsWith(`${namespace}/`)) continue;
      const old = this.#store.delete(key);
      if (old !== undefined) this.#tell({ old, isInitial: false });
    }
    for (const object of objects) this.#upsert(object, isInitial);
    this.#awaited.delete(namespace);
    if (!this.hasSynced) return;
    const waiters = this.#syncWaiters;
    this.#syncWaiters = [];
    for (const resolve of waiters) resolve();
  }

  #upsert(object: T, isInitial: boolean): void {
    const updated = this.#keep(object);
    const old = this.#store.set(updated);
    if (old === undefined) this.#tell({ updated, isInitial });
    else if (old.metadata.resourceVersion !== updated.metadata.resourceVersion)
      this.#tell({ old, updated, isInitial });
  }

  #keep(object: T): T {
    return deepFreeze(this.#transform(deepFreeze(object)));
  }

  #tell(event: ObjectEvent<T>): void {
    for (const handler of this.#handlers) this.#call(handler, event);
  }

  /** A handler that fails must not keep the others from hearing, nor end the watch. */
  #call(handler: ObjectHandler<T>, event: ObjectEvent<T>): void {
    try {
      handler(event);
    } catch (error) {
      this.#logger.error("a handler of object events failed", { resource: this.type.resource, error });
    }
  }
}
