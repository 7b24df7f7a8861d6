import {
  formatApiVersion,
  type KubeObject,
  type LabelMatcher,
  matchLabels,
  parseLabelSelector,
  type ResourceType,
} from "@binnacle/apimachinery";
import { type Activity, BugError, type Clock, type Logger, type Random } from "@binnacle/base";
import type { Client, ObjectKey } from "@binnacle/client";
import { Informer, type InformerLimits } from "./informer.ts";
import { formatKey } from "./object-key.ts";
import { type IndexFunction, NAMESPACE_INDEX, OWNER_INDEX } from "./store.ts";

export interface CacheOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly activity?: Activity;
  /** For every resource that has no limits of its own. */
  readonly limits?: Pick<InformerLimits, "namespaces" | "labelSelector">;
  /** By resource. */
  readonly resourceLimits?: readonly { readonly type: ResourceType; readonly limits: InformerLimits }[];
  /** See `ReflectorOptions.pageSize`. */
  readonly pageSize?: number;
  /** See `ReflectorOptions.watchTimeoutSeconds`. */
  readonly watchTimeoutSeconds?: number;
}

/** Which cached objects. */
export interface CacheListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string | LabelMatcher;
  /** An index and the value to look up. */
  readonly index?: readonly [name: string, value: string];
}

/**
 * One informer per resource, shared by everyone, started when it is first asked for. Reading costs no request and
 * does not wait; what is read may be a moment old, is frozen, and never goes back in time.
 */
export class Cache {
  readonly #options: CacheOptions;
  readonly #informers = new Map<string, Informer>();
  #isStarted = false;
  #isStopped = false;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  /** The informer of a resource; made, and started when the cache is, at the first call. */
  informer<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
    const key = resourceKey(type);
    const present = this.#informers.get(key);
    if (present !== undefined) return present as unknown as Informer<T>; // The key is the resource's: so is the type.
    const { client, clock, random, logger, activity, pageSize, watchTimeoutSeconds } = this.#options;
    const informer = new Informer<T>({
      client,
      type,
      limits: this.#limitsOf(type),
      clock,
      random,
      logger,
      ...(activity === undefined ? {} : { activity }),
      ...(pageSize === undefined ? {} : { pageSize }),
      ...(watchTimeoutSeconds === undefined ? {} : { watchTimeoutSeconds }),
    });
    this.#informers.set(key, informer as unknown as Informer); // Given back under its own type only.
    if (this.#isStarted && !this.#isStopped) informer.start();
    return informer;
  }

  /** Stops following a resource that is no longer served, and forgets its objects. */
  async remove(type: ResourceType): Promise<void> {
    const key = resourceKey(type);
    const informer = this.#informers.get(key);
    this.#informers.delete(key);
    await informer?.stop();
  }

  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | undefined {
    return this.#synced(type).get(formatKey(key));
  }

  list<T extends KubeObject>(type: ResourceType<T>, options: CacheListOptions = {}): T[] {
    const { namespace, labelSelector, index } = options;
    const informer = this.#synced(type);
    let objects: T[];
    if (index !== undefined) {
      objects = informer.byIndex(...index);
      if (namespace !== undefined) objects = objects.filter((each) => each.metadata.namespace === namespace);
    } else if (namespace !== undefined && type.namespaced) {
      objects = informer.byIndex(NAMESPACE_INDEX, namespace);
    } else {
      objects = informer.list();
    }
    if (labelSelector === undefined) return objects;
    const matcher = typeof labelSelector === "string" ? parseLabelSelector(labelSelector) : labelSelector;
    return objects.filter((object) => matchLabels(matcher, object.metadata.labels));
  }

  /** The objects of a resource that name this object as an owner. */
  listOwned<T extends KubeObject>(type: ResourceType<T>, owner: KubeObject): T[] {
    const uid = owner.metadata.uid;
    if (uid === undefined) throw new BugError("an object that is not stored owns nothing");
    return this.#synced(type).byIndex(OWNER_INDEX, uid);
  }

  /** Adds an index to a resource, and the informer if there is none. */
  addIndex<T extends KubeObject>(type: ResourceType<T>, name: string, valuesOf: IndexFunction<T>): void {
    this.informer(type).addIndex(name, valuesOf);
  }

  start(): void {
    this.#isStarted = true;
    for (const informer of this.#informers.values()) informer.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#informers.values()].map((informer) => informer.stop()));
  }

  /** Resolves when these resources (default: all that are followed now) have arrived. */
  async waitForSync(types?: readonly ResourceType[]): Promise<void> {
    const informers =
      types === undefined ? [...this.#informers.values()] : types.map((type) => this.informer(type));
    await Promise.all(informers.map((informer) => informer.whenSynced()));
  }

  get hasSynced(): boolean {
    return [...this.#informers.values()].every((informer) => informer.hasSynced);
  }

  #limitsOf<T extends KubeObject>(type: ResourceType<T>): InformerLimits<T> {
    const key = resourceKey(type);
    const own = this.#options.resourceLimits?.find((each) => resourceKey(each.type) === key)?.limits;
    return (own ?? this.#options.limits ?? {}) as InformerLimits<T>; // The limits are those of this resource.
  }

  #synced<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
    const informer = this.#informers.get(resourceKey(type));
    if (informer === undefined || !informer.hasSynced)
      throw new BugError(
        `${resourceKey(type)} has not been read yet: declare it with reads(), owns() or watches(), or wait for it`,
      );
    return informer as unknown as Informer<T>; // As in informer().
  }
}

/** What tells resources apart: `apps/v1/deployments`. */
export function resourceKey(type: ResourceType): string {
  return `${formatApiVersion(type)}/${type.resource}`;
}
