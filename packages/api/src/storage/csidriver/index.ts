import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  type ResourceDefinition,
  required,
  validateImmutable,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import { validateDriverName } from "../../core/persistentvolume/volume-sources.ts";
import type { CSIDriver } from "../../generated/storage-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** What the cluster should know of a storage driver. */
export const csiDrivers: ResourceDefinition<CSIDriver> = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSIDriver",
  resource: "csidrivers",
  singular: "csidriver",
  listKind: "CSIDriverList",
  namespaced: false,
  schema: builtinSchema("storage.v1.CSIDriver"),
  defaults: setCsiDriverDefaults,
  strategy: {
    returnsDeletedObject: true,
    validate: validateCsiDriver,
    validateUpdate: validateCsiDriverUpdate,
  },
  columns: columnsFor<CSIDriver>("csidrivers", [
    nameColumn,
    { name: "AttachRequired", type: "boolean", cell: ({ spec }) => spec.attachRequired ?? true },
    { name: "PodInfoOnMount", type: "boolean", cell: ({ spec }) => spec.podInfoOnMount ?? false },
    { name: "StorageCapacity", type: "boolean", cell: ({ spec }) => spec.storageCapacity ?? false },
    text("TokenRequests", ({ spec }) => {
      const audiences = (spec.tokenRequests ?? []).map(({ audience }) => audience || "<unset>");
      return audiences.length === 0 ? "<unset>" : audiences.join(",");
    }),
    { name: "RequiresRepublish", type: "boolean", cell: ({ spec }) => spec.requiresRepublish ?? false },
    text("Modes", ({ spec }) => (spec.volumeLifecycleModes ?? []).join(",") || "<none>"),
    ageColumn,
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/storage/v1/defaults.go, SetDefaults_CSIDriver. */
function setCsiDriverDefaults({ spec }: CSIDriver): void {
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
  if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ["Persistent"];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}

const FS_GROUP_POLICIES = ["File", "None", "ReadWriteOnceWithFSType"];
const LIFECYCLE_MODES = ["Ephemeral", "Persistent"];
const MIN_TOKEN_SECONDS = 600;

/** Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateCSIDriver. */
function validateCsiDriver({ metadata, spec }: CSIDriver): FieldError[] {
  const errors = validateDriverName(metadata.name ?? "", "metadata.name").filter(
    // The characters of the name are checked with the metadata.
    ({ type }) => type === "FieldValueTooLong",
  );
  for (const field of ["attachRequired", "podInfoOnMount", "storageCapacity"] as const) {
    if (spec[field] === undefined) errors.push(required(`spec.${field}`));
  }
  if (spec.fsGroupPolicy !== undefined && !FS_GROUP_POLICIES.includes(spec.fsGroupPolicy)) {
    errors.push(notSupported("spec.fsGroupPolicy", spec.fsGroupPolicy, FS_GROUP_POLICIES));
  }
  const audiences = new Set<string>();
  for (const [i, { audience, expirationSeconds }] of (spec.tokenRequests ?? []).entries()) {
    const path = `spec.tokenRequests[${i}]`;
    if (audiences.has(audience)) errors.push(duplicate(`${path}.audience`, audience));
    audiences.add(audience);
    if (expirationSeconds === undefined) continue;
    if (expirationSeconds < MIN_TOKEN_SECONDS) {
      const why = "may not specify a duration less than 10 minutes";
      errors.push(invalid(`${path}.expirationSeconds`, expirationSeconds, why));
    } else if (expirationSeconds > 2 ** 32) {
      const why = "may not specify a duration larger than 2^32 seconds";
      errors.push(invalid(`${path}.expirationSeconds`, expirationSeconds, why));
    }
  }
  for (const [i, mode] of (spec.volumeLifecycleModes ?? []).entries()) {
    if (!LIFECYCLE_MODES.includes(mode)) {
      errors.push(notSupported(`spec.volumeLifecycleModes[${i}]`, mode, LIFECYCLE_MODES));
    }
  }
  return errors;
}

/** Source: validation.go, ValidateCSIDriverUpdate. */
function validateCsiDriverUpdate(updated: CSIDriver, old: CSIDriver): FieldError[] {
  return [
    ...validateCsiDriver(updated),
    ...validateImmutable(updated.spec.attachRequired, old.spec.attachRequired, "spec.attachedRequired"),
    ...validateImmutable(
      updated.spec.volumeLifecycleModes,
      old.spec.volumeLifecycleModes,
      "spec.volumeLifecycleModes",
    ),
  ];
}
