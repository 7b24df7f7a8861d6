import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from "@binnacle/api";
import { keyOf } from "@binnacle/client";
import {
  addFinalizer,
  type ControllerDefinition,
  controllerFor,
  done,
  enqueueMapped,
  hasFinalizer,
  isTerminating,
  removeFinalizer,
} from "@binnacle/controller-runtime";
import { persistentVolumeClaims, persistentVolumes, pods, storageClasses } from "../../resource-types.ts";
import { BIND_COMPLETED } from "./matching.ts";
import { reconcileClaim } from "./reconcile.ts";

const PROTECTION = "kubernetes.io/pvc-protection";

/** Binds claims to volumes. */
export const claimBinder: ControllerDefinition = controllerFor(persistentVolumeClaims)
  .named("persistentvolume-claim-binder")
  .watches<PersistentVolume>(
    persistentVolumes,
    enqueueMapped(({ spec, status }, { cache }) => {
      const { claimRef } = spec;
      if (claimRef?.name !== undefined && claimRef.namespace !== undefined)
        return [{ namespace: claimRef.namespace, name: claimRef.name }];
      // A free volume: every claim of its class that still waits may want it.
      return status?.phase === "Available"
        ? cache
            .list(persistentVolumeClaims)
            .filter(
              (claim) =>
                isWaiting(claim) && (claim.spec.storageClassName ?? "") === (spec.storageClassName ?? ""),
            )
            .map(keyOf)
        : [];
    }),
  )
  .watches<StorageClass>(
    storageClasses,
    enqueueMapped(({ metadata }, { cache }) =>
      cache
        .list(persistentVolumeClaims)
        .filter((claim) => isWaiting(claim) && claim.spec.storageClassName === metadata.name)
        .map(keyOf),
    ),
  )
  .withOptions({ eventSource: "persistentvolume-controller" })
  .reconcile(reconcileClaim);

function isWaiting(claim: PersistentVolumeClaim): boolean {
  return claim.metadata.annotations?.[BIND_COMPLETED] === undefined;
}

/**
 * Keeps claims that a pod uses from going.
 *
 * Source: kubernetes v1.36 pkg/controller/volume/pvcprotection/pvc_protection_controller.go.
 */
export const claimProtection: ControllerDefinition = controllerFor(persistentVolumeClaims)
  .named("persistentvolumeclaim-protection-controller")
  .watches<Pod>(
    pods,
    enqueueMapped(({ metadata, spec }) =>
      (spec.volumes ?? []).flatMap((volume) => {
        const name =
          volume.ephemeral === undefined
            ? volume.persistentVolumeClaim?.claimName
            : `${metadata.name}-${volume.name}`;
        return name === undefined ? [] : [{ namespace: metadata.namespace ?? "", name }];
      }),
    ),
  )
  .reconcile(async (key, { client, cache }) => {
    const claim = cache.get(persistentVolumeClaims, key);
    if (claim === undefined) return done;
    if (!isTerminating(claim)) await addFinalizer(client, persistentVolumeClaims, claim, PROTECTION);
    else if (
      hasFinalizer(claim, PROTECTION) &&
      !cache.list(pods, { namespace: key.namespace ?? "" }).some(uses(key.name))
    )
      await removeFinalizer(client, persistentVolumeClaims, claim, PROTECTION);
    return done;
  });

/** Pods that have no node yet hold nothing. */
function uses(claimName: string): (pod: Pod) => boolean {
  return ({ metadata, spec }) =>
    (spec.nodeName ?? "") !== "" &&
    (spec.volumes ?? []).some(
      (volume) =>
        volume.persistentVolumeClaim?.claimName === claimName ||
        (volume.ephemeral !== undefined && `${metadata.name}-${volume.name}` === claimName),
    );
}
