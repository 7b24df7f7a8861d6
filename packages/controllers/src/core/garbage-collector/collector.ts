/**
 * The acting half of the garbage collector.
 *
 * Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go.
 */
import {
  isConflict,
  isNotFound,
  isStatusError,
  type KubeObject,
  type OwnerReference,
  type ResourceType,
} from "@binnacle/apimachinery";
import { type Client, type Discovery, mergePatch, strategicPatch } from "@binnacle/client";
import { blockingDependents, decide, type OwnerState } from "./decide.ts";
import {
  FOREGROUND_FINALIZER,
  type GraphNode,
  isDeletingDependents,
  ORPHAN_FINALIZER,
  type OwnerGraph,
} from "./owner-graph.ts";

/** Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go, NewReferenceCache(500). */
const MAX_KNOWN_ABSENT = 500;

export class Collector {
  readonly #graph: OwnerGraph;
  readonly #live: Client;
  readonly #discovery: Discovery;
  /** References whose owner was asked for and is not there. Uids are never used again. */
  readonly #absent = new Set<string>();

  constructor(graph: OwnerGraph, live: Client, discovery: Discovery) {
    this.#graph = graph;
    this.#live = live;
    this.#discovery = discovery;
  }

  /** Deletes the object if no owner keeps it, and lets it go on if it waits for dependents. */
  async attemptToDelete(uid: string): Promise<void> {
    const node = this.#graph.node(uid);
    if (node === undefined) return;
    const isDying = node.object.metadata.deletionTimestamp !== undefined;
    if (isDying && !isDeletingDependents(node.object)) return;
    const object = await this.#live.find(node.type, node.object);
    if (object === undefined || object.metadata.uid !== uid) return; // Gone; the cache will hear of it.
    if (isDeletingDependents(object)) return this.#continueForeground({ ...node, object });

    const references = object.metadata.ownerReferences ?? [];
    const owners: { reference: OwnerReference; state: OwnerState }[] = [];
    for (const reference of references)
      owners.push({ reference, state: await this.#ownerState(reference, node) });
    const decision = decide(object, owners, this.#graph.dependents(uid));
    switch (decision.action) {
      case "keep":
        return;
      case "unlink":
        return this.#unlink(node.type, object, decision.ownerUids);
      case "unblock-and-delete":
        await this.#unblock(node.type, object);
        return this.#delete(node.type, object, "Foreground");
      case "delete":
        return this.#delete(node.type, object, decision.propagationPolicy);
    }
  }

  /** Takes the owner off all of its dependents, then lets it go. */
  async attemptToOrphan(uid: string): Promise<void> {
    const node = this.#graph.node(uid);
    if (node === undefined) return;
    const results = await Promise.allSettled(
      this.#graph.dependents(uid).map((dependent) => this.#unlink(dependent.type, dependent.object, [uid])),
    );
    const failure = results.find((result) => result.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    await this.#removeFinalizer(node.type, node.object, ORPHAN_FINALIZER);
  }

  /** An owner that deletes its dependents first goes when none that blocks it is left. */
  async #continueForeground({ type, object }: GraphNode): Promise<void> {
    const uid = object.metadata.uid ?? "";
    const dependents = this.#graph.dependents(uid);
    const blocking = blockingDependents(uid, dependents);
    if (blocking.length === 0) return this.#removeFinalizer(type, object, FOREGROUND_FINALIZER);
    for (const dependent of blocking) {
      if (!isDeletingDependents(dependent.object))
        await this.attemptToDelete(dependent.object.metadata.uid ?? "");
    }
  }

  /** Asks the server about an owner that the graph does not know. */
  async #ownerState(reference: OwnerReference, dependent: GraphNode): Promise<OwnerState> {
    if (this.#graph.isKnownOwner(reference, dependent)) {
      const owner = this.#graph.node(reference.uid);
      return owner !== undefined && isDeletingDependents(owner.object) ? "waiting" : "solid";
    }
    const { namespace } = dependent.object.metadata;
    const cacheKey = JSON.stringify([
      reference.apiVersion,
      reference.kind,
      namespace,
      reference.name,
      reference.uid,
    ]);
    if (this.#absent.has(cacheKey)) return "dangling";
    const type = await this.#discovery.forKind(reference.apiVersion, reference.kind);
    if (type === undefined)
      throw new Error(
        `owner ${reference.name} is of an unknown kind ${reference.kind} in ${reference.apiVersion}`,
      );
    // An object without a namespace cannot have an owner in one: nobody knows which. It stays.
    if (type.namespaced && namespace === undefined) return "solid";
    const key =
      type.namespaced && namespace !== undefined
        ? { namespace, name: reference.name }
        : { name: reference.name };
    const owner = await this.#live.find(type, key);
    if (owner?.metadata.uid === reference.uid) return isDeletingDependents(owner) ? "waiting" : "solid";
    if (this.#absent.size >= MAX_KNOWN_ABSENT) this.#absent.clear();
    this.#absent.add(cacheKey);
    return "dangling";
  }

  async #delete(
    type: ResourceType,
    object: KubeObject,
    propagationPolicy: "Orphan" | "Background" | "Foreground",
  ): Promise<void> {
    const { resourceVersion } = object.metadata;
    try {
      await this.#live.delete(type, object, {
        propagationPolicy,
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #unlink(type: ResourceType, object: KubeObject, ownerUids: readonly string[]): Promise<void> {
    const ownerReferences = ownerUids.map((uid) => ({ $patch: "delete", uid }));
    const { uid } = object.metadata;
    await this.#patchReferences(
      type,
      object,
      strategicPatch({ metadata: { uid, ownerReferences } }),
      (references) => references.filter((each) => !ownerUids.includes(each.uid)),
    );
  }

  async #unblock(type: ResourceType, object: KubeObject): Promise<void> {
    const unblocked = (object.metadata.ownerReferences ?? []).map((each) => ({
      ...each,
      blockOwnerDeletion: false,
    }));
    const patch = strategicPatch({ metadata: { uid: object.metadata.uid, ownerReferences: unblocked } });
    await this.#patchReferences(type, object, patch, () => unblocked);
  }

  /** Custom resources know no strategic patch: their list is replaced, guarded by the version. */
  async #patchReferences(
    type: ResourceType,
    object: KubeObject,
    strategic: ReturnType<typeof strategicPatch>,
    change: (references: readonly OwnerReference[]) => readonly OwnerReference[],
  ): Promise<void> {
    try {
      await this.#live.patch(type, object, strategic);
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isStatusError(error) || error.code !== 415) throw error;
      const newest = await this.#live.find(type, object);
      if (newest === undefined || newest.metadata.uid !== object.metadata.uid) return;
      const { resourceVersion } = newest.metadata;
      const ownerReferences = change(newest.metadata.ownerReferences ?? []);
      await this.#live.patch(type, object, mergePatch({ metadata: { resourceVersion, ownerReferences } }));
    }
  }

  /** Source: kubernetes v1.36 pkg/controller/garbagecollector/operations.go, removeFinalizer: five tries. */
  async #removeFinalizer(type: ResourceType, object: KubeObject, finalizer: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      const newest = await this.#live.find(type, object);
      if (newest === undefined || newest.metadata.uid !== object.metadata.uid) return;
      const present = newest.metadata.finalizers ?? [];
      if (!present.includes(finalizer)) return;
      const { resourceVersion } = newest.metadata;
      const finalizers = present.filter((each) => each !== finalizer);
      try {
        await this.#live.patch(type, object, mergePatch({ metadata: { resourceVersion, finalizers } }));
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error) || tries >= 5) throw error;
      }
    }
  }
}
