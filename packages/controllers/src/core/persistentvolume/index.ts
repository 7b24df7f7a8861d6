import type { PersistentVolume, PersistentVolumeClaim } from "@binnacle/api";
import { isNotFound } from "@binnacle/apimachinery";
import { keyOf } from "@binnacle/client";
import {
  addFinalizer,
  type ControllerDefinition,
  controllerFor,
  done,
  enqueueMapped,
  isTerminating,
  type Reconcile,
  type ReconcileContext,
  removeFinalizer,
} from "@binnacle/controller-runtime";
import { persistentVolumeClaims, persistentVolumes } from "../../resource-types.ts";
import { setPhase } from "../persistentvolumeclaim/bind.ts";
import { BOUND_BY_CONTROLLER, PROVISIONED_BY } from "../persistentvolumeclaim/matching.ts";
import { SIMULATED_PROVISIONER } from "../persistentvolumeclaim/provision.ts";

const PROTECTION = "kubernetes.io/pv-protection";

/** Tells of each volume whether it is free, bound or left behind, and reclaims those left behind. */
export const volumeBinder: ControllerDefinition = controllerFor(persistentVolumes)
  .named("persistentvolume-binder")
  .watches<PersistentVolumeClaim>(
    persistentVolumeClaims,
    enqueueMapped(({ metadata, spec }, { cache }) => {
      const named =
        spec.volumeName === undefined || spec.volumeName === "" ? [] : [{ name: spec.volumeName }];
      const naming = cache
        .list(persistentVolumes)
        .filter(
          ({ spec: { claimRef } }) =>
            claimRef?.name === metadata.name && claimRef?.namespace === metadata.namespace,
        )
        .map(keyOf);
      return [...named, ...naming];
    }),
  )
  .withOptions({ eventSource: "persistentvolume-controller" })
  .reconcile((key, context) => reconcileVolume(key, context));

/** Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, syncVolume. */
const reconcileVolume: Reconcile = async (key, context) => {
  const { cache, client } = context;
  const volume = cache.get(persistentVolumes, key);
  if (volume === undefined) return done;
  const { claimRef } = volume.spec;
  if (claimRef === undefined || claimRef.uid === undefined || claimRef.uid === "") {
    await setPhase(volume, "Available", context);
    return done;
  }
  const claimKey = { namespace: claimRef.namespace ?? "", name: claimRef.name ?? "" };
  let claim = cache.get(persistentVolumeClaims, claimKey);
  // The cache may be behind; data is at stake.
  if (claim === undefined) claim = await client.live.find(persistentVolumeClaims, claimKey);
  if (claim === undefined || claim.metadata.uid !== claimRef.uid) {
    await release(volume, context);
  } else if (claim.spec.volumeName === volume.metadata.name) {
    await setPhase(volume, "Bound", context);
  } else if (claim.spec.volumeName !== undefined && claim.spec.volumeName !== "") {
    await unbind(volume, context);
  }
  return done; // Otherwise the claim is about to be bound, and brings us back.
};

/** The claim is gone. */
async function release(volume: PersistentVolume, context: ReconcileContext): Promise<void> {
  const { client, recorder } = context;
  const phase = volume.status?.phase;
  const released =
    phase === "Released" || phase === "Failed" ? volume : await setPhase(volume, "Released", context);
  switch (volume.spec.persistentVolumeReclaimPolicy ?? "Retain") {
    case "Delete":
      if (!isOurs(volume)) return; // Whoever made it deletes it.
      if (isTerminating(volume)) return;
      try {
        await client.delete(persistentVolumes, released);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      return;
    case "Recycle": {
      if (released.status?.phase === "Failed") return;
      const message = "No recycler plugin found for the volume!";
      await setPhase(released, "Failed", context, { reason: "VolumeFailedRecycle", message });
      recorder.event(persistentVolumes, volume, "Warning", "VolumeFailedRecycle", message);
    }
  }
}

/** The claim has another volume. */
async function unbind(volume: PersistentVolume, context: ReconcileContext): Promise<void> {
  if (isOurs(volume) && volume.spec.persistentVolumeReclaimPolicy === "Delete")
    return release(volume, context);
  const { [BOUND_BY_CONTROLLER]: byUs, ...annotations } = volume.metadata.annotations ?? {};
  const { claimRef, ...spec } = volume.spec;
  const { uid: _, resourceVersion: __, ...named } = claimRef ?? {};
  const unbound = await context.client.update(persistentVolumes, {
    ...volume,
    metadata: { ...volume.metadata, annotations },
    // What the user wrote stays: the volume waits for a claim of that name.
    spec: byUs === undefined ? { ...spec, claimRef: named } : spec,
  });
  await setPhase(unbound, "Available", context);
}

function isOurs({ metadata }: PersistentVolume): boolean {
  return metadata.annotations?.[PROVISIONED_BY] === SIMULATED_PROVISIONER;
}

/**
 * Keeps bound volumes from going.
 *
 * Source: kubernetes v1.36 pkg/controller/volume/pvprotection/pv_protection_controller.go.
 */
export const volumeProtection: ControllerDefinition = controllerFor(persistentVolumes)
  .named("persistentvolume-protection-controller")
  .reconcile(async (key, { client, cache }) => {
    const volume = cache.get(persistentVolumes, key);
    if (volume === undefined) return done;
    if (!isTerminating(volume)) await addFinalizer(client, persistentVolumes, volume, PROTECTION);
    else if (volume.status?.phase !== "Bound")
      await removeFinalizer(client, persistentVolumes, volume, PROTECTION);
    return done;
  });
