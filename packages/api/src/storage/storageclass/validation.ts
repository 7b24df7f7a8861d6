import {
  applyRule,
  type FieldError,
  invalid,
  notSupported,
  qualifiedName,
  required,
  tooLong,
  validateImmutable,
  validateLabelKey,
} from "@binnacle/apimachinery";
import type { StorageClass } from "../../generated/storage-v1.generated.ts";

const RECLAIM_POLICIES = ["Delete", "Retain"];
const BINDING_MODES = ["Immediate", "WaitForFirstConsumer"];
const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;

/** Source: kubernetes v1.36 pkg/apis/storage/validation/validation.go, ValidateStorageClass. */
export function validateStorageClass(storageClass: StorageClass): FieldError[] {
  const errors = validateProvisioner(storageClass.provisioner, "provisioner");
  errors.push(...validateParameters(storageClass.parameters, "parameters"));
  const { reclaimPolicy, volumeBindingMode } = storageClass;
  if (reclaimPolicy && !RECLAIM_POLICIES.includes(reclaimPolicy)) {
    errors.push(notSupported("reclaimPolicy", reclaimPolicy, RECLAIM_POLICIES));
  }
  if (volumeBindingMode === undefined) errors.push(required("volumeBindingMode"));
  else if (!BINDING_MODES.includes(volumeBindingMode)) {
    errors.push(notSupported("volumeBindingMode", volumeBindingMode, BINDING_MODES));
  }
  for (const [i, term] of (storageClass.allowedTopologies ?? []).entries()) {
    for (const [k, { key, values }] of (term.matchLabelExpressions ?? []).entries()) {
      const path = `allowedTopologies[${i}].matchLabelExpressions[${k}]`;
      if ((values ?? []).length === 0) errors.push(required(`${path}.values`));
      errors.push(...validateLabelKey(key, `${path}.key`));
    }
  }
  return errors;
}

/** Source: validation.go, ValidateStorageClassUpdate. */
export function validateStorageClassUpdate(updated: StorageClass, old: StorageClass): FieldError[] {
  return [
    ...validateStorageClass(updated),
    ...validateImmutable(updated.parameters, old.parameters, "parameters"),
    ...validateImmutable(updated.provisioner, old.provisioner, "provisioner"),
    ...validateImmutable(updated.reclaimPolicy, old.reclaimPolicy, "reclaimPolicy"),
    ...validateImmutable(updated.volumeBindingMode, old.volumeBindingMode, "volumeBindingMode"),
  ];
}

/** A qualified name in any case. */
export function validateProvisioner(name: string, path: string): FieldError[] {
  return name === "" ? [required(path)] : applyRule(qualifiedName, name.toLowerCase(), path);
}

/** Source: validation.go, validateParameters. */
export function validateParameters(
  parameters: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldError[] {
  const entries = Object.entries(parameters ?? {});
  if (entries.length > MAX_PARAMETERS) return [tooLong(path, MAX_PARAMETERS)];
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === "") errors.push(invalid(path, key, "field can not be empty."));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > MAX_PARAMETER_BYTES) errors.push(tooLong(path, MAX_PARAMETER_BYTES));
  return errors;
}
