import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { StorageClass } from "../../generated/storage-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateStorageClass, validateStorageClassUpdate } from "./validation.ts";

/** Marks the class that claims without one get. */
export const DEFAULT_CLASS_ANNOTATION = "storageclass.kubernetes.io/is-default-class";

/** How volumes are made for claims. */
export const storageClasses: ResourceDefinition<StorageClass> = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  resource: "storageclasses",
  singular: "storageclass",
  listKind: "StorageClassList",
  namespaced: false,
  shortNames: ["sc"],
  schema: builtinSchema("storage.v1.StorageClass"),
  // Source: kubernetes v1.36 pkg/apis/storage/v1/defaults.go.
  defaults: (storageClass) => {
    storageClass.reclaimPolicy ??= "Delete";
    storageClass.volumeBindingMode ??= "Immediate";
  },
  strategy: {
    returnsDeletedObject: true,
    validate: validateStorageClass,
    validateUpdate: validateStorageClassUpdate,
  },
  columns: columnsFor<StorageClass>("storageclasses", [
    {
      ...nameColumn,
      cell: ({ metadata }) => {
        const isDefault = metadata.annotations?.[DEFAULT_CLASS_ANNOTATION] === "true";
        return isDefault ? `${metadata.name} (default)` : (metadata.name ?? "");
      },
    },
    text("Provisioner", ({ provisioner }) => provisioner),
    text("ReclaimPolicy", ({ reclaimPolicy }) => reclaimPolicy ?? "Delete"),
    text("VolumeBindingMode", ({ volumeBindingMode }) => volumeBindingMode ?? "Immediate"),
    text("AllowVolumeExpansion", ({ allowVolumeExpansion }) => allowVolumeExpansion === true),
    ageColumn,
  ]),
};
