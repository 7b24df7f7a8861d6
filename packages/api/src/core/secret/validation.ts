import {
  configMapKey,
  type FieldError,
  forbiddenField,
  invalid,
  required,
  tooLong,
  validateImmutable,
} from "@binnacle/apimachinery";
import { JsonSyntaxError, jsonEquals, parseJson } from "@binnacle/base";
import type { Secret } from "../../generated/core-v1.generated.ts";
import { MAX_DATA_BYTES } from "../configmap/validation.ts";

const IMMUTABLE = "field is immutable when `immutable` is set";
const REDACTED = "<secret contents redacted>";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateSecret. */
export function validateSecret(secret: Secret): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(secret.data ?? {})) {
    for (const problem of configMapKey(key)) errors.push(invalid(`data[${key}]`, key, problem));
    size += Buffer.byteLength(value, "base64");
  }
  if (size > MAX_DATA_BYTES) errors.push(tooLong("data", MAX_DATA_BYTES));
  errors.push(...validateType(secret));
  return errors;
}

/** What the well-known types ask for. */
function validateType(secret: Secret): FieldError[] {
  switch (secret.type) {
    case "kubernetes.io/service-account-token": {
      const annotation = "kubernetes.io/service-account.name";
      const name = secret.metadata.annotations?.[annotation] ?? "";
      return name === "" ? [required(`metadata.annotations[${annotation}]`)] : [];
    }
    case "kubernetes.io/dockercfg":
      return requireJson(secret, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return requireJson(secret, ".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      // One of the two is enough.
      if (hasKey(secret, "username") || hasKey(secret, "password")) return [];
      return [required("data[username]"), required("data[password]")];
    case "kubernetes.io/ssh-auth":
      return isEmpty(secret, "ssh-privatekey") ? [required("data[ssh-privatekey]")] : [];
    case "kubernetes.io/tls":
      return ["tls.crt", "tls.key"]
        .filter((key) => !hasKey(secret, key))
        .map((key) => required(`data[${key}]`));
    default:
      return [];
  }
}

function requireJson(secret: Secret, key: string): FieldError[] {
  const path = `data[${key}]`;
  const value = Object.hasOwn(secret.data ?? {}, key) ? secret.data?.[key] : undefined;
  if (value === undefined) return [required(path)];
  try {
    parseJson(Buffer.from(value, "base64").toString("utf8"));
    return [];
  } catch (error) {
    if (error instanceof JsonSyntaxError) return [invalid(path, REDACTED, error.message)];
    throw error;
  }
}

function hasKey(secret: Secret, key: string): boolean {
  return Object.hasOwn(secret.data ?? {}, key);
}

function isEmpty(secret: Secret, key: string): boolean {
  return !hasKey(secret, key) || secret.data?.[key] === "";
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateSecretUpdate. */
export function validateSecretUpdate(updated: Secret, old: Secret): FieldError[] {
  const errors = validateImmutable(updated.type, old.type, "type");
  if (old.immutable === true) {
    if (updated.immutable !== true) errors.push(forbiddenField("immutable", IMMUTABLE));
    if (!jsonEquals(updated.data, old.data)) errors.push(forbiddenField("data", IMMUTABLE));
  }
  return [...errors, ...validateSecret(updated)];
}

/** Source: kubernetes v1.36 pkg/registry/core/secret/strategy.go, warningsForSecret. */
export function warningsForSecret(secret: Secret): string[] {
  if (secret.type !== "kubernetes.io/tls") return [];
  for (const [key, what] of [
    ["tls.crt", "certificate"],
    ["tls.key", "key"],
  ] as const) {
    const pem = Buffer.from(secret.data?.[key] ?? "", "base64").toString("latin1");
    if (!pem.includes("-----BEGIN ")) return [`tls: failed to find any PEM data in ${what} input`];
  }
  return [];
}
