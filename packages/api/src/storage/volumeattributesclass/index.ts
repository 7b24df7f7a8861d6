import { type FieldError, forbiddenField, type ResourceDefinition, required } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import { validateDriverName } from "../../core/persistentvolume/volume-sources.ts";
import type { VolumeAttributesClass } from "../../generated/storage-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateParameters } from "../storageclass/validation.ts";

/** Properties of volumes that may change while they exist. */
export const volumeAttributesClasses: ResourceDefinition<VolumeAttributesClass> = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "VolumeAttributesClass",
  resource: "volumeattributesclasses",
  singular: "volumeattributesclass",
  listKind: "VolumeAttributesClassList",
  namespaced: false,
  shortNames: ["vac"],
  schema: builtinSchema("storage.v1.VolumeAttributesClass"),
  strategy: {
    returnsDeletedObject: true,
    validate: validateVolumeAttributesClass,
    validateUpdate: validateVolumeAttributesClassUpdate,
  },
  columns: columnsFor<VolumeAttributesClass>("volumeattributesclasses", [
    nameColumn,
    text("DriverName", ({ driverName }) => driverName),
    ageColumn,
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateVolumeAttributesClass. */
function validateVolumeAttributesClass({ driverName, parameters }: VolumeAttributesClass): FieldError[] {
  const errors = driverName === "" ? [required("driverName")] : validateDriverName(driverName, "driverName");
  if (Object.keys(parameters ?? {}).length === 0) {
    return [...errors, required("parameters", "must contain at least one key/value pair")];
  }
  return [...errors, ...validateParameters(parameters, "parameters")];
}

/** Source: validation.go, ValidateVolumeAttributesClassUpdate. */
function validateVolumeAttributesClassUpdate(
  updated: VolumeAttributesClass,
  old: VolumeAttributesClass,
): FieldError[] {
  const errors = validateVolumeAttributesClass(updated);
  if (updated.driverName !== old.driverName) {
    errors.push(forbiddenField("driverName", "updates to driverName are forbidden."));
  }
  if (!jsonEquals(updated.parameters, old.parameters)) {
    errors.push(forbiddenField("parameters", "updates to parameters are forbidden."));
  }
  return errors;
}
