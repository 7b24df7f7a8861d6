import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text, wide } from "../../column-builders.ts";
import type { PersistentVolumeClaim } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { formatAccessModes } from "../persistentvolume/access-modes.ts";
import {
  prepareClaimForCreate,
  prepareClaimForUpdate,
  setPersistentVolumeClaimDefaults,
} from "./strategy.ts";
import {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatus,
  validatePersistentVolumeClaimUpdate,
} from "./validation.ts";

/** A request for storage. */
export const persistentVolumeClaims: ResourceDefinition<PersistentVolumeClaim> = {
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  resource: "persistentvolumeclaims",
  singular: "persistentvolumeclaim",
  listKind: "PersistentVolumeClaimList",
  namespaced: true,
  shortNames: ["pvc"],
  schema: builtinSchema("core.v1.PersistentVolumeClaim"),
  defaults: setPersistentVolumeClaimDefaults,
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate: prepareClaimForCreate,
    prepareForUpdate: prepareClaimForUpdate,
    validate: validatePersistentVolumeClaim,
    validateUpdate: validatePersistentVolumeClaimUpdate,
  },
  status: { validateUpdate: validatePersistentVolumeClaimStatus },
  columns: columnsFor<PersistentVolumeClaim>("persistentvolumeclaims", [
    nameColumn,
    text("Status", ({ metadata, status }) =>
      metadata.deletionTimestamp ? "Terminating" : (status?.phase ?? ""),
    ),
    text("Volume", ({ spec }) => spec?.volumeName ?? ""),
    text("Capacity", ({ spec, status }) => (spec?.volumeName ? (status?.capacity?.["storage"] ?? "0") : "")),
    text("Access Modes", ({ spec, status }) =>
      spec?.volumeName ? formatAccessModes(status?.accessModes) : "",
    ),
    text("StorageClass", ({ spec }) => spec?.storageClassName ?? ""),
    text("VolumeAttributesClass", ({ spec }) => spec?.volumeAttributesClassName ?? "<unset>"),
    ageColumn,
    wide("VolumeMode", ({ spec }) => spec?.volumeMode ?? "<unset>"),
  ]),
};
