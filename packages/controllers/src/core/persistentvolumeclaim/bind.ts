import type { PersistentVolume, PersistentVolumeClaim } from "@binnacle/api";
import { jsonEquals } from "@binnacle/base";
import type { ReconcileContext } from "@binnacle/controller-runtime";
import { persistentVolumeClaims, persistentVolumes } from "../../resource-types.ts";
import { claimReference } from "./claim-reference.ts";
import { BIND_COMPLETED, BOUND_BY_CONTROLLER } from "./matching.ts";

/**
 * Ties a volume and a claim to one another: first the volume names the claim, then the claim the volume. A crash in
 * between is made good by the next try.
 *
 * Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, bind.
 */
export async function bind(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  context: ReconcileContext,
): Promise<void> {
  const bound = await setPhase(await nameClaim(volume, claim, context), "Bound", context);
  const naming = await nameVolume(claim, bound, context);
  const status = {
    ...naming.status,
    phase: "Bound",
    ...(bound.spec.accessModes === undefined ? {} : { accessModes: bound.spec.accessModes }),
    ...(bound.spec.capacity === undefined ? {} : { capacity: bound.spec.capacity }),
  };
  if (!jsonEquals(status, naming.status))
    await context.client.updateStatus(persistentVolumeClaims, { ...naming, status });
}

export async function setPhase(
  volume: PersistentVolume,
  phase: string,
  { client }: ReconcileContext,
  problem: { readonly reason?: string; readonly message?: string } = {},
): Promise<PersistentVolume> {
  if (volume.status?.phase === phase) return volume;
  const { message: _, reason: __, ...rest } = volume.status ?? {};
  return client.updateStatus(persistentVolumes, { ...volume, status: { ...rest, ...problem, phase } });
}

export async function setClaimPhase(
  claim: PersistentVolumeClaim,
  phase: string,
  { client }: ReconcileContext,
): Promise<void> {
  if (claim.status?.phase === phase) return;
  await client.updateStatus(persistentVolumeClaims, { ...claim, status: { ...claim.status, phase } });
}

function nameClaim(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  { client }: ReconcileContext,
): Promise<PersistentVolume> | PersistentVolume {
  const present = volume.spec.claimRef;
  if (present?.uid !== undefined && present.uid === claim.metadata.uid) return volume;
  // Whoever named the claim before keeps the right to have it so.
  const annotations = {
    ...volume.metadata.annotations,
    ...(present === undefined ? { [BOUND_BY_CONTROLLER]: "yes" } : {}),
  };
  return client.update(persistentVolumes, {
    ...volume,
    metadata: { ...volume.metadata, annotations },
    spec: { ...volume.spec, claimRef: claimReference(claim) },
  });
}

function nameVolume(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  { client }: ReconcileContext,
): Promise<PersistentVolumeClaim> | PersistentVolumeClaim {
  const volumeName = volume.metadata.name ?? "";
  const present = claim.metadata.annotations ?? {};
  const isNamed = claim.spec.volumeName === volumeName;
  const annotations = {
    ...present,
    [BIND_COMPLETED]: "yes",
    ...(isNamed ? {} : { [BOUND_BY_CONTROLLER]: "yes" }),
  };
  if (isNamed && jsonEquals(annotations, present)) return claim;
  return client.update(persistentVolumeClaims, {
    ...claim,
    metadata: { ...claim.metadata, annotations },
    spec: { ...claim.spec, volumeName },
  });
}
