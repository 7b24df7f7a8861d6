import {
  applyRule,
  compareQuantities,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  goFormText,
  invalid,
  notSupported,
  quantitySign,
  required,
  unifiedDiff,
  validateImmutable,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import { cloneJson, jsonEquals } from "@binnacle/base";
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedObjectReference,
} from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateResourceAmount } from "../node/validation.ts";
import { validateAccessModes } from "../persistentvolume/access-modes.ts";
import { VOLUME_MODES } from "../persistentvolume/validation.ts";
import { validateClassName } from "../persistentvolume/volume-sources.ts";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaim. */
export function validatePersistentVolumeClaim({ spec = {} }: PersistentVolumeClaim): FieldError[] {
  return validateClaimSpec(spec, "spec");
}

/** Also for claim templates. Source: validation.go, ValidatePersistentVolumeClaimSpec. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required(`${path}.accessModes`, "at least 1 access mode is required"));
  errors.push(...validateLabelSelector(spec.selector, `${path}.selector`));
  errors.push(...validateAccessModes(modes, `${path}.accessModes`));
  const storage = spec.resources?.requests?.["storage"];
  const storagePath = `${path}.resources[storage]`;
  if (storage === undefined) errors.push(required(storagePath));
  else if (quantitySign(storage) < 1) errors.push(invalid(storagePath, storage, "must be greater than zero"));
  errors.push(...validateClassName(spec.storageClassName, `${path}.storageClassName`));
  if (spec.volumeMode !== undefined && !VOLUME_MODES.includes(spec.volumeMode)) {
    errors.push(notSupported(`${path}.volumeMode`, spec.volumeMode, VOLUME_MODES));
  }
  if (spec.dataSource !== undefined)
    errors.push(...validateDataSource(spec.dataSource, `${path}.dataSource`));
  if (spec.dataSourceRef !== undefined) {
    errors.push(...validateDataSource(spec.dataSourceRef, `${path}.dataSourceRef`));
  }
  if (spec.dataSource !== undefined && spec.dataSourceRef !== undefined) {
    const { namespace: _, ...reference } = spec.dataSourceRef;
    if (!jsonEquals(spec.dataSource, reference)) {
      errors.push(invalid(path, `${path}.dataSource`, "must match dataSourceRef"));
    }
  }
  errors.push(...validateClassName(spec.volumeAttributesClassName, `${path}.volumeAttributesClassName`));
  return errors;
}

function validateDataSource({ apiGroup, kind, name }: TypedObjectReference, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(`${path}.name`));
  if (kind === "") errors.push(required(`${path}.kind`));
  if (!apiGroup && kind !== "PersistentVolumeClaim") {
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalid(path, kind, why));
  }
  if (apiGroup) errors.push(...applyRule(dnsSubdomain, apiGroup, `${path}.apiGroup`));
  return errors;
}

const IMMUTABLE =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimUpdate. */
export function validatePersistentVolumeClaimUpdate(
  updated: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): FieldError[] {
  const errors = validatePersistentVolumeClaim(updated);
  const before = cloneJson(old.spec ?? {});
  const after = cloneJson(updated.spec ?? {});
  // The volume is named once, and a default class may be filled in later.
  if (!before.volumeName && after.volumeName) before.volumeName = after.volumeName;
  if (before.storageClassName === undefined) delete after.storageClassName;
  if (updated.status?.phase === "Bound") {
    const size = before.resources?.requests?.["storage"];
    if (after.resources?.requests !== undefined && size !== undefined)
      after.resources.requests["storage"] = size;
    if (after.volumeAttributesClassName !== undefined) {
      if (before.volumeAttributesClassName === undefined) delete after.volumeAttributesClassName;
      else after.volumeAttributesClassName = before.volumeAttributesClassName;
    }
  }
  if (!jsonEquals(before, after)) {
    const schema = builtinSchema("core.v1.PersistentVolumeClaimSpec");
    const changes = unifiedDiff(goFormText(schema, before), goFormText(schema, after));
    errors.push(forbiddenField("spec", `${IMMUTABLE}\n${changes}`));
  }
  const oldSize = old.spec?.resources?.requests?.["storage"] ?? "0";
  const newSize = updated.spec?.resources?.requests?.["storage"] ?? "0";
  const actual = old.status?.capacity?.["storage"] ?? "0";
  if (compareQuantities(newSize, oldSize) < 0 && compareQuantities(newSize, actual) <= 0) {
    const why = "field can not be less than status.capacity";
    errors.push(forbiddenField("spec.resources.requests.storage", why));
  }
  errors.push(...validateImmutable(updated.spec?.volumeMode, old.spec?.volumeMode, "volumeMode"));
  if (
    old.spec?.volumeAttributesClassName !== undefined &&
    updated.spec?.volumeAttributesClassName === undefined
  ) {
    errors.push(
      forbiddenField("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden"),
    );
  }
  return errors;
}

/** Source: validation.go, ValidatePersistentVolumeClaimStatusUpdate. */
export function validatePersistentVolumeClaimStatus({ status }: PersistentVolumeClaim): FieldError[] {
  return (["capacity", "allocatedResources"] as const).flatMap((field) =>
    Object.entries(status?.[field] ?? {}).flatMap(([name, amount]) =>
      validateResourceAmount(name, amount, `status.${field}[${name}]`),
    ),
  );
}
