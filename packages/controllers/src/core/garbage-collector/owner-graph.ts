import {
  type KubeObject,
  type OwnerReference,
  parseApiVersion,
  type ResourceType,
} from "@binnacle/apimachinery";

export const ORPHAN_FINALIZER = "orphan";
export const FOREGROUND_FINALIZER = "foregroundDeletion";

/** An object and the resource it is of. */
export interface GraphNode {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

/** What a change calls for. */
export interface GraphWork {
  /** Uids of objects that may have to go, or may go on with their own deletion. */
  readonly toDelete: Set<string>;
  /** Uids of owners whose dependents must be let go of. */
  readonly toOrphan: Set<string>;
}

/**
 * All objects by uid, and who depends on whom. Knows only what it was told; whether an owner that it does not know
 * exists is for the caller to find out.
 *
 * Source: kubernetes v1.36 pkg/controller/garbagecollector/graph_builder.go.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** Owner's uid to its dependents' uids; the owner need not be known. */
  readonly #dependents = new Map<string, Set<string>>();

  get size(): number {
    return this.#nodes.size;
  }

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  dependents(ownerUid: string): GraphNode[] {
    const found: GraphNode[] = [];
    for (const uid of this.#dependents.get(ownerUid) ?? []) {
      const node = this.#nodes.get(uid);
      if (node !== undefined) found.push(node);
    }
    return found;
  }

  /** Whether the owner that a reference of `dependent` names is known, in the place where it must be. */
  isKnownOwner(reference: OwnerReference, dependent: GraphNode): boolean {
    const owner = this.#nodes.get(reference.uid);
    return owner !== undefined && fits(reference, owner, dependent);
  }

  /** An object is new or has changed. */
  upsert(node: GraphNode): GraphWork {
    const { object } = node;
    const uid = object.metadata.uid ?? "";
    const old = this.#nodes.get(uid);
    this.#nodes.set(uid, node);
    const before = old?.object.metadata.ownerReferences ?? [];
    const after = object.metadata.ownerReferences ?? [];
    const work: GraphWork = { toDelete: new Set(), toOrphan: new Set() };
    if (before.length > 0 || after.length > 0) this.#relink(uid, before, after, work);
    if (after.some((reference) => !this.isKnownOwner(reference, node))) work.toDelete.add(uid);
    if (hasFinalizerWhileDying(object, ORPHAN_FINALIZER)) work.toOrphan.add(uid);
    if (isDeletingDependents(object)) {
      work.toDelete.add(uid);
      if (old === undefined || !isDeletingDependents(old.object))
        for (const dependent of this.#dependents.get(uid) ?? []) work.toDelete.add(dependent);
    }
    return work;
  }

  /** An object is gone. */
  remove(object: KubeObject): GraphWork {
    const uid = object.metadata.uid ?? "";
    const work: GraphWork = { toDelete: new Set(this.#dependents.get(uid)), toOrphan: new Set() };
    const known = this.#nodes.get(uid)?.object ?? object;
    this.#nodes.delete(uid);
    this.#relink(uid, known.metadata.ownerReferences ?? [], [], work);
    return work;
  }

  /** Forgets all objects of a resource that is no longer served. */
  forget(type: ResourceType): void {
    for (const [uid, node] of this.#nodes) {
      if (node.type !== type) continue;
      this.#nodes.delete(uid);
      for (const { uid: owner } of node.object.metadata.ownerReferences ?? []) this.#unlink(owner, uid);
    }
  }

  #relink(
    uid: string,
    before: readonly OwnerReference[],
    after: readonly OwnerReference[],
    work: GraphWork,
  ): void {
    for (const { uid: owner } of after) {
      const dependents = this.#dependents.get(owner) ?? new Set();
      dependents.add(uid);
      this.#dependents.set(owner, dependents);
    }
    for (const reference of before) {
      const still = after.find((each) => each.uid === reference.uid);
      if (still === undefined) this.#unlink(reference.uid, uid);
      // An owner that waits for its dependents may go on.
      const stillBlocks = still?.blockOwnerDeletion === true;
      if (reference.blockOwnerDeletion === true && !stillBlocks && this.#isDeletingDependents(reference.uid))
        work.toDelete.add(reference.uid);
    }
  }

  #isDeletingDependents(uid: string): boolean {
    const node = this.#nodes.get(uid);
    return node !== undefined && isDeletingDependents(node.object);
  }

  #unlink(owner: string, uid: string): void {
    const dependents = this.#dependents.get(owner);
    if (dependents === undefined) return;
    dependents.delete(uid);
    if (dependents.size === 0) this.#dependents.delete(owner);
  }
}

/** Whether the object waits for its blocking dependents before it goes. */
export function isDeletingDependents(object: KubeObject): boolean {
  return hasFinalizerWhileDying(object, FOREGROUND_FINALIZER);
}

function hasFinalizerWhileDying({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false);
}

/** The uid alone does not make an owner: kind, name and namespace must fit too. */
function fits(reference: OwnerReference, owner: GraphNode, dependent: GraphNode): boolean {
  const { type, object } = owner;
  return (
    reference.kind === type.kind &&
    reference.name === object.metadata.name &&
    parseApiVersion(reference.apiVersion)?.group === type.group &&
    (!type.namespaced || object.metadata.namespace === dependent.object.metadata.namespace)
  );
}
