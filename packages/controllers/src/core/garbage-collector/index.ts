import { type ResourceType, resourceType } from "@binnacle/apimachinery";
import type { Timer } from "@binnacle/base";
import { type DiscoveredResource, Discovery } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerNamed,
  done,
  type Enqueue,
  type ReconcileContext,
  type ReconcileResult,
  resourceKey,
} from "@binnacle/controller-runtime";
import { Collector } from "./collector.ts";
import { type GraphWork, OwnerGraph } from "./owner-graph.ts";

/** Source: kubernetes v1.36 cmd/kube-controller-manager defaults, ConcurrentGCSyncs. */
const CONCURRENCY = 20;
/** What is served changes with CRDs and APIServices, which are watched, and with what stands behind the latter. */
const REDISCOVER_AFTER_MS = 300_000;
/** A resource that cannot be listed must not stop the others. Source: garbagecollector.go, initialSyncTimeout. */
const SYNC_TIMEOUT_MS = 30_000;
const SECOND_LOOK_AFTER_MS = 1_000;

/** Short-lived, many, and owned by nobody. Source: garbagecollector.go, DefaultIgnoredResources. */
const IGNORED: ReadonlySet<string> = new Set(["v1/events", "events.k8s.io/v1/events"]);

const RESYNC = "resync";
const DELETE = "delete:";
const ORPHAN = "orphan:";

/** A change of one of these may change what is served. */
const DISCOVERY_RESOURCES: ReadonlySet<string> = new Set([
  "apiextensions.k8s.io/v1/customresourcedefinitions",
  "apiregistration.k8s.io/v1/apiservices",
]);

/** Deletes objects whose owners are gone, over all resources that the server has. */
export const garbageCollector: ControllerDefinition = controllerNamed("garbage-collector")
  .withOptions({ concurrency: CONCURRENCY, eventSource: "garbage-collector-controller" })
  .setup((context) => {
    const monitor = new Monitor(context);
    return {
      start: (enqueue) => monitor.start(enqueue),
      reconcile: ({ name }) => monitor.reconcile(name),
    };
  });

/** Follows every resource that can be listed, watched and deleted, and turns changes of the graph into keys. */
class Monitor {
  readonly #context: ReconcileContext;
  readonly #graph = new OwnerGraph();
  readonly #discovery: Discovery;
  readonly #collector: Collector;
  /** What takes the handler off again, by resource. */
  readonly #followed = new Map<string, { type: ResourceType; stop: () => void }>();
  /** Keys found while not all resources have arrived: an owner may just not be known yet. */
  readonly #early = new Set<string>();
  #enqueue: Enqueue | undefined;
  #isReady = false;
  #isSecondLook = false;
  #syncTimer: Timer | undefined;

  constructor(context: ReconcileContext) {
    this.#context = context;
    const { live } = context.client;
    this.#discovery = new Discovery(live.transport);
    this.#collector = new Collector(this.#graph, live, this.#discovery);
  }

  start(enqueue: Enqueue): () => void {
    this.#enqueue = enqueue;
    enqueue.add({ name: RESYNC });
    return () => {
      this.#syncTimer?.cancel();
      for (const { stop } of this.#followed.values()) stop();
      this.#followed.clear();
    };
  }

  async reconcile(key: string): Promise<ReconcileResult> {
    if (key === RESYNC) return this.#resync();
    if (key.startsWith(DELETE)) await this.#collector.attemptToDelete(key.slice(DELETE.length));
    else await this.#collector.attemptToOrphan(key.slice(ORPHAN.length));
    return done;
  }

  /** Follows what is served now, and stops following what no longer is. */
  async #resync(): Promise<ReconcileResult> {
    const snapshot = await this.#discovery.refresh();
    const served = new Map(
      snapshot
        .preferredResources()
        .filter(isCollectable)
        .map((type) => [resourceKey(type), type]),
    );
    for (const [key, type] of served) if (!this.#followed.has(key)) this.#follow(key, type);
    // A group that could not be asked may still be there.
    if (snapshot.isComplete) {
      for (const [key, { type, stop }] of this.#followed) {
        if (served.has(key)) continue;
        stop();
        this.#followed.delete(key);
        this.#graph.forget(type);
        await this.#context.cache.remove(type);
      }
    }
    this.#beginWhenSynced([...served.values()]);
    // A change of a CRD or APIService may show in discovery a moment later: look once more soon.
    this.#isSecondLook = !this.#isSecondLook;
    return { requeueAfterMs: this.#isSecondLook ? SECOND_LOOK_AFTER_MS : REDISCOVER_AFTER_MS };
  }

  #follow(key: string, discovered: DiscoveredResource): void {
    const { group, version, kind, resource, namespaced } = discovered;
    const type = resourceType({ group, version, kind, resource, namespaced });
    const isDiscovery = DISCOVERY_RESOURCES.has(key);
    const stop = this.#context.cache.informer(type).addHandler(({ old, updated, isInitial }) => {
      if (isDiscovery && !isInitial) this.#enqueue?.add({ name: RESYNC });
      // Deleted and made again while nobody was looking.
      if (old !== undefined && old.metadata.uid !== updated?.metadata.uid)
        this.#schedule(this.#graph.remove(old));
      if (updated !== undefined) this.#schedule(this.#graph.upsert({ type, object: updated }));
    });
    this.#followed.set(key, { type, stop });
  }

  #schedule({ toDelete, toOrphan }: GraphWork): void {
    for (const uid of toDelete) this.#add(DELETE + uid);
    for (const uid of toOrphan) this.#add(ORPHAN + uid);
  }

  #add(key: string): void {
    if (this.#isReady) this.#enqueue?.add({ name: key });
    else this.#early.add(key);
  }

  /**
   * Begins once all resources have arrived. Waits outside of a reconcile: what waits for time must not count as work.
   */
  #beginWhenSynced(types: readonly ResourceType[]): void {
    if (this.#isReady) return;
    const { cache, clock, logger } = this.#context;
    this.#syncTimer ??= clock.setTimer(SYNC_TIMEOUT_MS, () => {
      if (!this.#isReady) logger.warn("some resources cannot be read; goes on without them");
      this.#begin();
    });
    void cache.waitForSync(types).then(() => this.#begin());
  }

  #begin(): void {
    this.#syncTimer?.cancel();
    this.#isReady = true;
    for (const key of this.#early) this.#enqueue?.add({ name: key });
    this.#early.clear();
  }
}

function isCollectable(type: DiscoveredResource): boolean {
  return (
    !IGNORED.has(resourceKey(type)) && ["delete", "list", "watch"].every((verb) => type.verbs.includes(verb))
  );
}
