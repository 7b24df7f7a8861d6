import { jsonEquals } from "@binnacle/base";
import { type FieldError, forbidden, invalid, required, tooLong } from "../errors/field-error.ts";
import { parseApiVersion } from "../meta/group-version.ts";
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from "../meta/object-meta.ts";
import type { NameFormat } from "../resource/resource-definition.ts";
import {
  dnsLabel,
  dnsLabel1035,
  dnsSubdomain,
  labelValue,
  maskTrailingDash,
  pathSegment,
  qualifiedName,
} from "./names.ts";

/** What a value that may not change is told. */
export const FIELD_IMMUTABLE = "field is immutable";
/** What a number below zero is told. */
export const NOT_NEGATIVE = "must be greater than or equal to 0";

const MAX_ANNOTATION_BYTES = 256 * 1024;
const STANDARD_FINALIZERS: readonly string[] = ["kubernetes", "orphan", "foregroundDeletion"];

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  /** Default `dnsSubdomain`. */
  readonly nameFormat?: NameFormat;
  /** Default `metadata`. */
  readonly path?: string;
  /** Finalizers without a domain must be standard ones, as built-in kinds ask. Default true. */
  readonly standardFinalizersOnly?: boolean;
}

/**
 * Every error of an object's metadata.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go, ValidateObjectMetaAccessor,
 * and pkg/apis/core/validation/validation.go, ValidateObjectMeta.
 */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules): FieldError[] {
  const path = rules.path ?? "metadata";
  const errors: FieldError[] = [];
  const checkName = nameRule(rules.nameFormat ?? "dnsSubdomain");
  if (meta.generateName) {
    for (const problem of checkName(maskTrailingDash(meta.generateName))) {
      errors.push(invalid(`${path}.generateName`, meta.generateName, problem));
    }
  }
  if (!meta.name) errors.push(required(`${path}.name`, "name or generateName is required"));
  else for (const problem of checkName(meta.name)) errors.push(invalid(`${path}.name`, meta.name, problem));
  if (rules.namespaced) {
    if (!meta.namespace) errors.push(required(`${path}.namespace`));
    else {
      for (const problem of dnsLabel(meta.namespace)) {
        errors.push(invalid(`${path}.namespace`, meta.namespace, problem));
      }
    }
  } else if (meta.namespace) {
    errors.push(forbidden(`${path}.namespace`, "not allowed on this type"));
  }
  if (meta.generation !== undefined && meta.generation < 0) {
    errors.push(invalid(`${path}.generation`, meta.generation, NOT_NEGATIVE));
  }
  errors.push(
    ...validateLabels(meta.labels, `${path}.labels`),
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences, `${path}.ownerReferences`),
    ...validateFinalizers(meta.finalizers, `${path}.finalizers`),
    ...validateManagedFields(meta.managedFields, `${path}.managedFields`),
  );
  if (rules.standardFinalizersOnly !== false) {
    for (const [i, finalizer] of (meta.finalizers ?? []).entries()) {
      errors.push(...validateStandardFinalizer(finalizer, `${path}.finalizers[${i}]`));
    }
  }
  return errors;
}

/**
 * Every error of a change of metadata.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go,
 * ValidateObjectMetaAccessorUpdate.
 */
export function validateObjectMetaUpdate(
  updated: ObjectMeta,
  old: ObjectMeta,
  path = "metadata",
): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const extra = (updated.finalizers ?? [])
      .filter((finalizer) => !old.finalizers?.includes(finalizer))
      .sort();
    if (extra.length > 0) {
      const list = extra.map((finalizer) => JSON.stringify(finalizer)).join(", ");
      const why = "no new finalizers can be added if the object is being deleted, found new finalizers";
      errors.push(forbidden(`${path}.finalizers`, `${why} []string{${list}}`));
    }
  }
  if (!updated.resourceVersion) {
    errors.push(invalid(`${path}.resourceVersion`, "", "must be specified for an update"));
  }
  if ((updated.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalid(`${path}.generation`, updated.generation ?? 0, "must not be decremented"));
  }
  for (const field of ["name", "namespace", "uid", "creationTimestamp"] as const) {
    errors.push(...validateImmutable(updated[field] ?? "", old[field] ?? "", `${path}.${field}`));
  }
  for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds"] as const) {
    errors.push(...validateImmutable(updated[field], old[field], `${path}.${field}`));
  }
  errors.push(
    ...validateLabels(updated.labels, `${path}.labels`),
    ...validateAnnotations(updated.annotations, `${path}.annotations`),
    ...validateOwnerReferences(updated.ownerReferences, `${path}.ownerReferences`),
    ...validateManagedFields(updated.managedFields, `${path}.managedFields`),
  );
  return errors;
}

/** The rule behind a {@link NameFormat}. */
export function nameRule(format: NameFormat): (name: string) => string[] {
  switch (format) {
    case "dnsSubdomain":
      return dnsSubdomain;
    case "dnsLabel":
      return dnsLabel;
    case "dnsLabel1035":
      return dnsLabel1035;
    case "path":
      return pathSegment;
    default:
      return format;
  }
}

/** What a rule for text finds wrong, as errors of the field. */
export function applyRule(rule: (value: string) => string[], value: string, path: string): FieldError[] {
  return rule(value).map((problem) => invalid(path, value, problem));
}

/** An error when the value has changed. */
export function validateImmutable(updated: unknown, old: unknown, path: string): FieldError[] {
  return jsonEquals(updated, old) ? [] : [invalid(path, updated, FIELD_IMMUTABLE)];
}

/** An error when the number is below zero. Missing is fine. */
export function validateNonNegative(value: number | bigint | undefined, path: string): FieldError[] {
  return value === undefined || value >= 0 ? [] : [invalid(path, value, NOT_NEGATIVE)];
}

export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    errors.push(...validateLabelKey(key, path));
    for (const problem of labelValue(value)) errors.push(invalid(path, value, problem));
  }
  return errors;
}

export function validateLabelKey(key: string, path: string): FieldError[] {
  return qualifiedName(key).map((problem) => invalid(path, key, problem));
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    for (const problem of qualifiedName(key.toLowerCase())) errors.push(invalid(path, key, problem));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > MAX_ANNOTATION_BYTES) errors.push(tooLong(path, MAX_ANNOTATION_BYTES));
  return errors;
}

export function validateFinalizers(finalizers: readonly string[] | undefined, path: string): FieldError[] {
  if (finalizers === undefined) return [];
  const errors = finalizers.flatMap((name) =>
    qualifiedName(name).map((problem) => invalid(path, name, problem)),
  );
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    errors.push(invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set"));
  }
  return errors;
}

/** A finalizer of a built-in kind is a standard one or has a domain. Source: core validation.go, validateKubeFinalizerName. */
export function validateStandardFinalizer(name: string, path: string): FieldError[] {
  if (name.includes("/") || STANDARD_FINALIZERS.includes(name)) return [];
  return [invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")];
}

export function validateOwnerReferences(
  references: readonly OwnerReference[] | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of references ?? []) {
    errors.push(...validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    const name = `${reference.kind}/${reference.name}`;
    if (controller === undefined) controller = name;
    else {
      const why = `Only one reference can have Controller set to true. Found "true" in references for`;
      errors.push(invalid(path, references, `${why} ${controller} and ${name}`));
    }
  }
  return errors;
}

function validateOwnerReference(reference: OwnerReference, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const groupVersion = parseApiVersion(reference.apiVersion);
  if (!groupVersion?.version) {
    errors.push(invalid(`${path}.apiVersion`, reference.apiVersion, "version must not be empty"));
  }
  for (const field of ["kind", "name", "uid"] as const) {
    if (reference[field] === "") errors.push(invalid(`${path}.${field}`, "", "must not be empty"));
  }
  if (reference.apiVersion === "v1" && reference.kind === "Event") {
    errors.push(invalid(path, reference, "/v1, Kind=Event is disallowed from being an owner"));
  }
  return errors;
}

/** Source: kubernetes v1.36 apimachinery/pkg/apis/meta/v1/validation/validation.go, ValidateManagedFields. */
export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, entry] of (entries ?? []).entries()) {
    const at = `${path}[${i}]`;
    if (entry.operation !== "Apply" && entry.operation !== "Update") {
      errors.push(invalid(`${at}.operation`, entry.operation ?? "", "must be `Apply` or `Update`"));
    }
    if (entry.fieldsType !== undefined && entry.fieldsType !== "FieldsV1") {
      errors.push(invalid(`${at}.fieldsType`, entry.fieldsType, "must be `FieldsV1`"));
    }
    errors.push(...validateFieldManager(entry.manager ?? "", `${at}.manager`));
    if ((entry.subresource ?? "").length > 256) errors.push(tooLong(`${at}.subresource`, 256));
  }
  return errors;
}

/** The fieldManager parameter: at most 128 printable characters. */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (manager.length > 128) errors.push(tooLong(path, 128));
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(manager)) {
    errors.push(invalid(path, manager, "should only contain printable characters"));
  }
  return errors;
}
