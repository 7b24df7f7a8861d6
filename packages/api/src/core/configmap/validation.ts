import { configMapKey, type FieldError, forbiddenField, invalid, tooLong } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import type { ConfigMap } from "../../generated/core-v1.generated.ts";

/** Bytes of all values together; the same for Secrets. Source: kubernetes v1.36 pkg/apis/core/types.go, MaxSecretSize. */
export const MAX_DATA_BYTES: number = 1024 * 1024;

const IMMUTABLE = "field is immutable when `immutable` is set";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateConfigMap. */
export function validateConfigMap(configMap: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(configMap.data ?? {})) {
    for (const problem of configMapKey(key)) errors.push(invalid(`data[${key}]`, key, problem));
    if (Object.hasOwn(configMap.binaryData ?? {}, key)) {
      errors.push(invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(configMap.binaryData ?? {})) {
    for (const problem of configMapKey(key)) errors.push(invalid(`binaryData[${key}]`, key, problem));
    size += Buffer.byteLength(value, "base64");
  }
  // Upstream names no field here; this is how it prints.
  if (size > MAX_DATA_BYTES) errors.push(tooLong("[]", MAX_DATA_BYTES));
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateConfigMapUpdate. */
export function validateConfigMapUpdate(updated: ConfigMap, old: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  if (old.immutable === true) {
    if (updated.immutable !== true) errors.push(forbiddenField("immutable", IMMUTABLE));
    if (!jsonEquals(updated.data, old.data)) errors.push(forbiddenField("data", IMMUTABLE));
    if (!jsonEquals(updated.binaryData, old.binaryData)) errors.push(forbiddenField("binaryData", IMMUTABLE));
  }
  return [...errors, ...validateConfigMap(updated)];
}
