/**
 * Which volume fits a claim: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/index.go and pv_controller.go.
 */
import type { PersistentVolume, PersistentVolumeClaim } from "@binnacle/api";
import { compareQuantities, labelSelectorFromObject, matchLabels } from "@binnacle/apimachinery";

export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
export const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
export const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

/**
 * The volume that is meant for this claim, or the smallest free one that is large enough; undefined when there is none.
 */
export function bestVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  let best: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (volume.metadata.deletionTimestamp !== undefined || misfit(claim, volume) !== undefined) continue;
    if (isMeantFor(volume, claim)) return volume;
    if (volume.spec.claimRef !== undefined || volume.status?.phase !== "Available") continue;
    const selector = claim.spec.selector;
    if (selector !== undefined && !matchLabels(labelSelectorFromObject(selector), volume.metadata.labels))
      continue;
    if (best === undefined || isBetter(volume, best)) best = volume;
  }
  return best;
}

/** Why a volume cannot serve a claim, whoever chose it; undefined when it can. */
export function misfit(claim: PersistentVolumeClaim, volume: PersistentVolume): string | undefined {
  const requested = claim.spec.resources?.requests?.["storage"] ?? "0";
  if (compareQuantities(sizeOf(volume), requested) < 0) return "requested PV is too small";
  if ((claim.spec.storageClassName ?? "") !== (volume.spec.storageClassName ?? ""))
    return "storageClassName does not match";
  if ((claim.spec.volumeMode ?? "Filesystem") !== (volume.spec.volumeMode ?? "Filesystem"))
    return "incompatible volumeMode";
  const modes = volume.spec.accessModes ?? [];
  if (!(claim.spec.accessModes ?? []).every((mode) => modes.includes(mode))) return "incompatible accessMode";
  return undefined;
}

/** Whether the volume names this very claim: by uid when it has one. */
export function isMeantFor(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const reference = volume.spec.claimRef;
  return (
    reference !== undefined &&
    reference.name === claim.metadata.name &&
    reference.namespace === claim.metadata.namespace &&
    (reference.uid === undefined || reference.uid === "" || reference.uid === claim.metadata.uid)
  );
}

/** Few modes before many, small before large. */
function isBetter(a: PersistentVolume, b: PersistentVolume): boolean {
  const modes = (a.spec.accessModes ?? []).length - (b.spec.accessModes ?? []).length;
  if (modes !== 0) return modes < 0;
  return compareQuantities(sizeOf(a), sizeOf(b)) < 0;
}

function sizeOf(volume: PersistentVolume): string {
  return volume.spec.capacity?.["storage"] ?? "0";
}
