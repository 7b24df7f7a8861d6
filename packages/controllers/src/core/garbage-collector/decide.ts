import type { KubeObject, OwnerReference } from "@binnacle/apimachinery";
import {
  FOREGROUND_FINALIZER,
  type GraphNode,
  isDeletingDependents,
  ORPHAN_FINALIZER,
} from "./owner-graph.ts";

/** What is known of the owner that a reference names. */
export type OwnerState = "solid" | "dangling" | "waiting";

/** What to do about an object, given the state of each of its owners. */
export type Decision =
  | { readonly action: "keep" }
  /** Take these references off: others keep the object. */
  | { readonly action: "unlink"; readonly ownerUids: readonly string[] }
  | { readonly action: "delete"; readonly propagationPolicy: "Orphan" | "Background" | "Foreground" }
  /** As delete, but first stop blocking the owners: object and owner wait for one another. */
  | { readonly action: "unblock-and-delete" };

/**
 * An object goes when none of its owners keeps it. Owners that wait for their dependents have it deleted in the
 * foreground when it has dependents itself.
 *
 * Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go, attemptToDeleteItem.
 */
export function decide(
  object: KubeObject,
  owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[],
  dependents: readonly GraphNode[],
): Decision {
  if (owners.length === 0) return { action: "keep" };
  const gone = owners.filter(({ state }) => state !== "solid").map(({ reference }) => reference.uid);
  if (gone.length === 0) return { action: "keep" };
  if (gone.length < owners.length) return { action: "unlink", ownerUids: gone };
  if (owners.some(({ state }) => state === "waiting") && dependents.length > 0) {
    return dependents.some((dependent) => isDeletingDependents(dependent.object))
      ? { action: "unblock-and-delete" }
      : { action: "delete", propagationPolicy: "Foreground" };
  }
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN_FINALIZER)) return { action: "delete", propagationPolicy: "Orphan" };
  if (finalizers.includes(FOREGROUND_FINALIZER)) return { action: "delete", propagationPolicy: "Foreground" };
  return { action: "delete", propagationPolicy: "Background" };
}

/** Dependents whose deletion the owner has to wait for. */
export function blockingDependents(ownerUid: string, dependents: readonly GraphNode[]): GraphNode[] {
  return dependents.filter(({ object }) =>
    object.metadata.ownerReferences?.some(
      (each) => each.uid === ownerUid && each.blockOwnerDeletion === true,
    ),
  );
}
