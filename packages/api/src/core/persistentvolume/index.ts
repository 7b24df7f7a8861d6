import { msToTime, type ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text, wide } from "../../column-builders.ts";
import type { PersistentVolume } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { formatAccessModes } from "./access-modes.ts";
import { setPersistentVolumeDefaults } from "./defaults.ts";
import { validatePersistentVolume, validatePersistentVolumeUpdate } from "./validation.ts";

/** A piece of storage. */
export const persistentVolumes: ResourceDefinition<PersistentVolume> = {
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  resource: "persistentvolumes",
  singular: "persistentvolume",
  listKind: "PersistentVolumeList",
  namespaced: false,
  shortNames: ["pv"],
  schema: builtinSchema("core.v1.PersistentVolume"),
  defaults: setPersistentVolumeDefaults,
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate: (volume, { nowMs }) => {
      volume.status = { phase: "Pending", lastPhaseTransitionTime: msToTime(nowMs) };
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validatePersistentVolume,
    validateUpdate: validatePersistentVolumeUpdate,
  },
  status: {
    prepareForUpdate: (updated, old, { nowMs }) => {
      const { status } = updated;
      if (status === undefined || status.phase === old.status?.phase) return;
      if (status.lastPhaseTransitionTime === old.status?.lastPhaseTransitionTime) {
        status.lastPhaseTransitionTime = msToTime(nowMs);
      }
    },
  },
  columns: columnsFor<PersistentVolume>("persistentvolumes", [
    nameColumn,
    text("Capacity", ({ spec }) => spec?.capacity?.["storage"] ?? "0"),
    text("Access Modes", ({ spec }) => formatAccessModes(spec?.accessModes)),
    text("Reclaim Policy", ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? ""),
    text("Status", ({ metadata, status }) =>
      metadata.deletionTimestamp ? "Terminating" : (status?.phase ?? ""),
    ),
    text("Claim", ({ spec }) =>
      spec?.claimRef ? `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}` : "",
    ),
    text("StorageClass", ({ spec }) => spec?.storageClassName ?? ""),
    text("VolumeAttributesClass", ({ spec }) => spec?.volumeAttributesClassName ?? "<unset>"),
    text("Reason", ({ status }) => status?.reason ?? ""),
    ageColumn,
    wide("VolumeMode", ({ spec }) => spec?.volumeMode ?? "<unset>"),
  ]),
};
