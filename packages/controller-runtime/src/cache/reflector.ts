import {
  isExpired,
  type KubeObject,
  type ResourceType,
  type Status,
  StatusError,
} from "@binnacle/apimachinery";
import { type Activity, Backoff, type Clock, type Logger, type Random, type Timer } from "@binnacle/base";
import type { Client, SelectOptions, WatchEvent, WatchSubscription } from "@binnacle/client";

/** What a reflector keeps up to date. Calls come one at a time and in order. */
export interface ReflectorSink<T extends KubeObject> {
  /** These are all objects there are now. */
  replace(objects: readonly T[]): void;
  upsert(object: T): void;
  remove(object: T): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  /** Which objects. Default all. */
  readonly select?: Omit<SelectOptions, "signal">;
  readonly sink: ReflectorSink<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Counts while a list or the opening of a watch is under way; not while waiting for events or a retry. */
  readonly activity?: Activity;
  /** Objects per page of a list. Default 500. */
  readonly pageSize?: number;
  /**
   * After so many seconds, up to twice as many, the server ends each watch and it is opened anew. Default 300; 0 asks
   * for none, for a server in the same process.
   */
  readonly watchTimeoutSeconds?: number;
}

/** Source: kubernetes v1.36 client-go/tools/cache/reflector.go, defaultMinWatchTimeout. */
const DEFAULT_WATCH_TIMEOUT_SECONDS = 300;
/** Source: kubernetes v1.36 client-go/tools/cache/reflector.go, NewReflectorWithOptions, backoffManager. */
const RETRY = { initialMs: 800, factor: 2, maxMs: 30_000, jitter: 1 };
/** A connection that held this long was a good one: the next failure waits as a first one does. */
const GOOD_AFTER_MS = 120_000;
/** A watch that ends sooner than this, without an event, counts as a failure. */
const SHORTEST_WATCH_MS = 1_000;

/**
 * Lists a resource, then watches it from there, for as long as it runs: a watch that ends is opened again where it
 * stopped, one that is too old (410) starts over with a list, and failures wait longer and longer.
 *
 * Source: kubernetes v1.36 client-go/tools/cache/reflector.go, ListAndWatch.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  #subscription: WatchSubscription | undefined;
  #retry: Timer | undefined;
  #step: Promise<void> = Promise.resolve();
  /** Everything up to here has been seen. Undefined: a list is needed. */
  #resourceVersion: string | undefined;
  #failingSince: number | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#backoff = new Backoff(RETRY, options.random);
  }

  start(): void {
    this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the reflector is stopped"));
    this.#retry?.cancel();
    this.#subscription?.stop();
    await this.#step;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** The next step: a list when one is needed, then a watch. Never rejects. */
  #run(): void {
    if (this.#isStopped) return;
    const { activity } = this.#options;
    activity?.begin();
    this.#step = this.#listAndWatch()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => activity?.end());
  }

  async #listAndWatch(): Promise<void> {
    if (this.#resourceVersion === undefined) await this.#list();
    if (!this.#isStopped) await this.#watch();
  }

  async #list(): Promise<void> {
    const { client, type, select, sink, pageSize } = this.#options;
    const list = await client.listAll(type, {
      ...select,
      signal: this.#stopping.signal,
      ...(pageSize === undefined ? {} : { limit: pageSize }),
    });
    if (this.#isStopped) return;
    this.#resourceVersion = list.metadata.resourceVersion ?? "";
    sink.replace(list.items);
  }

  async #watch(): Promise<void> {
    const { client, type, select, clock } = this.#options;
    const openedAt = clock.now();
    let events = 0;
    let failure: Error | undefined;
    const subscription = await client.watch(
      type,
      {
        ...select,
        signal: this.#stopping.signal,
        resourceVersion: this.#resourceVersion ?? "",
        allowWatchBookmarks: true,
        ...this.#watchTimeout(),
      },
      {
        onEvent: (event) => {
          if (this.#isStopped) return;
          if (event.type === "ERROR") {
            failure ??= new StatusError(event.object as Status); // What an ERROR event carries.
            return;
          }
          events++;
          this.#apply(event);
        },
        onEnd: (error) => {
          if (this.#isStopped) return;
          const tooShort = events === 0 && clock.now() - openedAt < SHORTEST_WATCH_MS;
          if (clock.now() - openedAt >= GOOD_AFTER_MS) this.#backoff.reset();
          const cause = failure ?? error;
          if (cause !== undefined) this.#fail(cause);
          else if (tooShort) this.#fail(new Error("the watch ended at once"));
          else this.#run();
        },
      },
    );
    if (this.#isStopped) subscription.stop();
    else this.#subscription = subscription;
    this.#reportRecovery();
  }

  #apply(event: WatchEvent): void {
    const { sink } = this.#options;
    const object = event.object as T; // The server sends objects of the resource that is watched.
    if (event.type === "DELETED") sink.remove(object);
    else if (event.type !== "BOOKMARK") sink.upsert(object);
    this.#resourceVersion = object.metadata.resourceVersion ?? this.#resourceVersion;
  }

  #watchTimeout(): { timeoutSeconds?: number } {
    const shortest = this.#options.watchTimeoutSeconds ?? DEFAULT_WATCH_TIMEOUT_SECONDS;
    // Spread, so that not all watches of a program end together.
    return shortest === 0 ? {} : { timeoutSeconds: Math.floor(shortest * (1 + this.#options.random.next())) };
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    const { clock, logger, type } = this.#options;
    if (isExpired(error)) {
      // The history we would go on with is gone. A list brings us up to date; only repeated ones wait.
      const needsList = this.#resourceVersion !== undefined;
      this.#resourceVersion = undefined;
      if (needsList) {
        logger.debug("history has been compacted, listing again", { resource: type.resource });
        this.#run();
        return;
      }
    }
    const delayMs = this.#backoff.next();
    if (this.#failingSince === undefined) {
      this.#failingSince = clock.now();
      logger.warn("cannot list or watch, will try again", { resource: type.resource, error, delayMs });
    } else {
      logger.debug("still cannot list or watch", { resource: type.resource, error, delayMs });
    }
    this.#retry = clock.setTimer(delayMs, () => this.#run());
  }

  #reportRecovery(): void {
    if (this.#failingSince === undefined) return;
    const { clock, logger, type } = this.#options;
    const afterMs = clock.now() - this.#failingSince;
    this.#failingSince = undefined;
    logger.info("lists and watches again", { resource: type.resource, afterMs });
  }
}
