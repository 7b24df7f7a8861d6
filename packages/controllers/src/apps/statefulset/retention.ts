/**
 * Who owns the claims of a StatefulSet: the set when they go with it, the pod when they go with a pod that is scaled
 * away, nobody when they stay. Pure.
 *
 * Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, updateClaimOwnerRefForSetAndPod.
 */
import type { PersistentVolumeClaim, Pod, StatefulSet } from "@binnacle/api";
import type { OwnerReference } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { controllerOf, controllerReference, ownerReference } from "@binnacle/controller-runtime";
import { pods, statefulSets } from "../../resource-types.ts";
import { isInRange, ordinalOf } from "./identity.ts";

/** The owners that the claim should have; undefined when it has them. */
export function claimOwners(
  set: StatefulSet,
  pod: Pod,
  claim: PersistentVolumeClaim,
): OwnerReference[] | undefined {
  const { whenDeleted = "Retain", whenScaled = "Retain" } =
    set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const isScaledAway = !isInRange(set, ordinalOf(set, pod) ?? -1);
  const goesWithPod = whenScaled === "Delete" && isScaledAway;
  const goesWithSet = whenDeleted === "Delete" && !goesWithPod;
  const present = claim.metadata.ownerReferences ?? [];
  const others = present.filter((each) => each.uid !== set.metadata.uid && each.uid !== pod.metadata.uid);
  const controller = controllerOf(claim);
  // A claim that somebody else controls is not ours to give away.
  if (controller !== undefined && controller.uid !== set.metadata.uid && controller.uid !== pod.metadata.uid)
    return undefined;
  const owners = [
    ...others,
    ...(goesWithSet ? [controllerReference(statefulSets, set)] : []),
    ...(goesWithPod && pod.metadata.uid !== undefined ? [ownerReference(pods, pod)] : []),
  ];
  return jsonEquals(owners, present) ? undefined : owners;
}
