import {
  type FieldError,
  forbiddenField,
  goFormText,
  invalid,
  notSupported,
  type ObjectSchema,
  quantitySign,
  required,
  unifiedDiff,
  validateImmutable,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import type { PersistentVolume, PersistentVolumeSpec } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateNodeSelector } from "../pod/validate-affinity.ts";
import { validateAccessModes } from "./access-modes.ts";
import { VOLUME_SOURCES, validateClassName, validateVolumeSource } from "./volume-sources.ts";

const RECLAIM_POLICIES = ["Delete", "Recycle", "Retain"];
export const VOLUME_MODES: readonly string[] = ["Block", "Filesystem"];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeSpec. */
export function validatePersistentVolume({ spec = {} }: PersistentVolume): FieldError[] {
  const errors: FieldError[] = [];
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required("spec.accessModes"));
  errors.push(...validateAccessModes(modes, "spec.accessModes"));
  const capacity = spec.capacity ?? {};
  const names = Object.keys(capacity).sort();
  if (names.length === 0) errors.push(required("spec.capacity"));
  if (names.length !== 1 || names[0] !== "storage") {
    const shown = spec.capacity && Object.fromEntries(names.map((name) => [name, capacity[name]]));
    errors.push(notSupported("spec.capacity", shown, ["storage"]));
  }
  for (const name of names) {
    if (quantitySign(capacity[name]!) > 0) continue;
    errors.push(invalid(`spec.capacity[${name}]`, capacity[name], "must be greater than zero"));
  }
  const policy = spec.persistentVolumeReclaimPolicy;
  if (policy && !RECLAIM_POLICIES.includes(policy)) {
    errors.push(notSupported("spec.persistentVolumeReclaimPolicy", policy, RECLAIM_POLICIES));
  }
  if (spec.nodeAffinity !== undefined) {
    const path = "spec.nodeAffinity.required";
    if (spec.nodeAffinity.required !== undefined) {
      errors.push(...validateNodeSelector(spec.nodeAffinity.required, path));
    } else errors.push(required(path, "must specify required node constraints"));
  }
  errors.push(...validateVolumeSource(spec, "spec"));
  if (policy === "Recycle" && /^\/+\.?$/.test(spec.hostPath?.path ?? "")) {
    const why = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbiddenField("spec.persistentVolumeReclaimPolicy", why));
  }
  errors.push(...validateClassName(spec.storageClassName, "spec.storageClassName"));
  if (spec.volumeMode !== undefined && !VOLUME_MODES.includes(spec.volumeMode)) {
    errors.push(notSupported("spec.volumeMode", spec.volumeMode, VOLUME_MODES));
  }
  errors.push(...validateClassName(spec.volumeAttributesClassName, "spec.volumeAttributesClassName"));
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeUpdate. */
export function validatePersistentVolumeUpdate(
  updated: PersistentVolume,
  old: PersistentVolume,
): FieldError[] {
  const errors = validatePersistentVolume(updated);
  const before = sourceOf(old.spec ?? {});
  const after = sourceOf(updated.spec ?? {});
  // The one thing that may be added later: who may expand the volume.
  const csi = before.csi;
  if (csi !== undefined && csi.controllerExpandSecretRef === undefined && after.csi !== undefined) {
    const { controllerExpandSecretRef: _, ...rest } = after.csi;
    after.csi = rest;
  }
  if (!jsonEquals(before, after)) {
    const schema = sourceSchema();
    const changes = unifiedDiff(goFormText(schema, before), goFormText(schema, after));
    const why = `spec.persistentvolumesource is immutable after creation\n${changes}`;
    errors.push(forbiddenField("spec.persistentvolumesource", why));
  }
  errors.push(...validateImmutable(updated.spec?.volumeMode, old.spec?.volumeMode, "volumeMode"));
  if (old.spec?.nodeAffinity !== undefined) {
    errors.push(...validateImmutable(updated.spec?.nodeAffinity, old.spec.nodeAffinity, "nodeAffinity"));
  }
  return errors;
}

function sourceOf(spec: PersistentVolumeSpec): Pick<PersistentVolumeSpec, (typeof VOLUME_SOURCES)[number]> {
  const entries = VOLUME_SOURCES.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]);
  return Object.fromEntries(entries);
}

/** Go's embedded struct PersistentVolumeSource. */
function sourceSchema(): ObjectSchema {
  const { fields } = builtinSchema("core.v1.PersistentVolumeSpec");
  return {
    type: "object",
    fields: new Map([...fields].filter(([, field]) => field.protobufInline !== undefined)),
  };
}
