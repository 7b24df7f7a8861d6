/**
 * Source: kubernetes v1.36 pkg/controller/resourcequota/resource_quota_controller.go.
 */
import {
  addUsage,
  countedResource,
  type Pod,
  type QuotaUsage,
  quotaCovers,
  quotaUsage,
  type ResourceQuota,
  usedOf,
} from "@binnacle/api";
import {
  compareQuantities,
  formatGroupResource,
  type GroupResource,
  isNotFound,
  type KubeObject,
  type ResourceType,
} from "@binnacle/apimachinery";
import { Discovery, keyOf } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerFor,
  done,
  type Enqueue,
  type ObjectEvent,
  type ReconcileContext,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { isPodFinished } from "../../pod-control/pod-state.ts";
import { resourceQuotas } from "../../resource-types.ts";

/** Whatever happened, everything is counted again so often. Source: resource-quota-sync-period. */
const RESYNC_MS = 5 * 60_000;
/** Admission has charged a new object already: it is counted once what was charged has arrived. */
const AFTER_CREATE_MS = 5_000;

/** Counts what namespaces use of their quotas, and gives back what is no longer used. */
export const resourceQuotaController: ControllerDefinition = controllerFor(resourceQuotas)
  .withOptions({ concurrency: 5, eventSource: "resourcequota-controller" })
  .setup((context) => {
    const counter = new QuotaCounter(context);
    return {
      start: (enqueue) => counter.start(enqueue),
      reconcile: (key) => counter.reconcile(key),
    };
  });

class QuotaCounter {
  readonly #context: ReconcileContext;
  readonly #discovery: Discovery;
  /** Resources that some quota counts, by name. */
  readonly #followed = new Map<string, { type: ResourceType; stop: () => void }>();
  #enqueue: Enqueue | undefined;

  constructor(context: ReconcileContext) {
    this.#context = context;
    this.#discovery = new Discovery(context.client.live.transport);
  }

  start(enqueue: Enqueue): () => void {
    this.#enqueue = enqueue;
    return () => {
      for (const { stop } of this.#followed.values()) stop();
      this.#followed.clear();
    };
  }

  async reconcile(key: { readonly namespace?: string; readonly name: string }): Promise<ReconcileResult> {
    const { cache, client, clock } = this.#context;
    const quota = cache.get(resourceQuotas, key);
    if (quota === undefined) return done;
    const hard = quota.spec.hard ?? {};
    let usage: QuotaUsage = new Map();
    for (const resource of countedResources(hard)) {
      const type = await this.#follow(resource);
      if (type === undefined) continue;
      const informer = cache.informer<KubeObject>(type);
      if (!informer.hasSynced) {
        // Comes back when the objects have arrived; waiting here would count as work.
        void informer.whenSynced().then(() => this.#enqueue?.add(key));
        return done;
      }
      for (const object of cache.list(type, { namespace: key.namespace ?? "" }))
        if (quotaCovers(quota, resource, object))
          usage = addUsage(usage, quotaUsage(resource, object, clock.now()));
    }
    const used = usedOf(quota, usage);
    const { status = {} } = quota;
    if (!sameAmounts(status.hard, hard) || !sameAmounts(status.used, used)) {
      try {
        await client.updateStatus(resourceQuotas, { ...quota, status: { hard, used } });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    return { requeueAfterMs: RESYNC_MS };
  }

  /** The type of a counted resource; its changes are followed from now on. */
  async #follow(resource: GroupResource): Promise<ResourceType | undefined> {
    const name = formatGroupResource(resource);
    const known = this.#followed.get(name);
    if (known !== undefined) return known.type;
    const isIt = (each: GroupResource): boolean =>
      each.group === resource.group && each.resource === resource.resource;
    let type = (await this.#discovery.snapshot()).preferredResources().find(isIt);
    type ??= (await this.#discovery.refresh()).preferredResources().find(isIt);
    if (
      type === undefined ||
      !type.namespaced ||
      !type.verbs.includes("list") ||
      !type.verbs.includes("watch")
    )
      return undefined;
    // Somebody else may have come first meanwhile.
    if (!this.#followed.has(name)) {
      const stop = this.#context.cache
        .informer<KubeObject>(type)
        .addHandler((event) => this.#note(resource, event));
      this.#followed.set(name, { type, stop });
    }
    return type;
  }

  #note(resource: GroupResource, { old, updated, isInitial }: ObjectEvent): void {
    if (isInitial) return;
    const isCreated = old === undefined;
    if (!isCreated && updated !== undefined && !changesUsage(resource, old, updated)) return;
    const namespace = (updated ?? old)?.metadata.namespace ?? "";
    for (const quota of this.#context.cache.list(resourceQuotas, { namespace })) {
      if (
        !countedResources(quota.spec.hard ?? {}).some(
          (each) => formatGroupResource(each) === formatGroupResource(resource),
        )
      )
        continue;
      if (isCreated) this.#enqueue?.addAfter(keyOf(quota), AFTER_CREATE_MS);
      else this.#enqueue?.add(keyOf(quota));
    }
  }
}

/** Pods that end, and changes of the spec. */
function changesUsage(resource: GroupResource, old: KubeObject, updated: KubeObject): boolean {
  if (resource.group === "" && resource.resource === "pods")
    return !isPodFinished(old as Pod) && isPodFinished(updated as Pod); // Objects of that resource.
  return (
    old.metadata.generation !== updated.metadata.generation ||
    (resource.group === "" && resource.resource === "services")
  );
}

function countedResources(hard: Readonly<Record<string, string>>): GroupResource[] {
  const resources = new Map<string, GroupResource>();
  for (const name of Object.keys(hard)) {
    const resource = countedResource(name);
    if (resource !== undefined) resources.set(formatGroupResource(resource), resource);
  }
  return [...resources.values()];
}

function sameAmounts(a: ResourceQuota["spec"]["hard"], b: Readonly<Record<string, string>>): boolean {
  const [left, right] = [Object.entries(a ?? {}), Object.entries(b)];
  return (
    left.length === right.length &&
    right.every(([name, amount]) => {
      const other = Object.hasOwn(a ?? {}, name) ? a?.[name] : undefined;
      return other !== undefined && compareQuantities(other, amount) === 0;
    })
  );
}
