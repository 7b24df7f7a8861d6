import {
  type FieldError,
  invalid,
  quantitySign,
  type ResourceDefinition,
  validateImmutable,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import { validateClassName } from "../../core/persistentvolume/volume-sources.ts";
import type { CSIStorageCapacity } from "../../generated/storage-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** How much a driver can still provide somewhere. */
export const csiStorageCapacities: ResourceDefinition<CSIStorageCapacity> = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSIStorageCapacity",
  resource: "csistoragecapacities",
  singular: "csistoragecapacity",
  listKind: "CSIStorageCapacityList",
  namespaced: true,
  schema: builtinSchema("storage.v1.CSIStorageCapacity"),
  strategy: {
    returnsDeletedObject: true,
    validate: validateCsiStorageCapacity,
    validateUpdate: (updated, old) => [
      ...validateCsiStorageCapacity(updated),
      ...validateImmutable(updated.nodeTopology, old.nodeTopology, "nodeTopology"),
      ...validateImmutable(updated.storageClassName, old.storageClassName, "storageClassName"),
    ],
  },
  columns: columnsFor<CSIStorageCapacity>("csistoragecapacities", [
    nameColumn,
    text("StorageClassName", ({ storageClassName }) => storageClassName),
    text("Capacity", ({ capacity }) => capacity ?? "<unset>"),
    ageColumn,
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateCSIStorageCapacity. */
function validateCsiStorageCapacity(object: CSIStorageCapacity): FieldError[] {
  const errors = validateLabelSelector(object.nodeTopology, "nodeTopology");
  errors.push(...validateClassName(object.storageClassName, "storageClassName"));
  for (const field of ["capacity", "maximumVolumeSize"] as const) {
    const amount = object[field];
    if (amount !== undefined && quantitySign(amount) < 0) {
      errors.push(invalid(field, amount, "must be greater than or equal to 0"));
    }
  }
  return errors;
}
