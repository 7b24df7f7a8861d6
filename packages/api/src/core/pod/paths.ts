import { type FieldError, invalid } from "@binnacle/apimachinery";

/** No part of the path is `..`. Source: kubernetes v1.36 pkg/apis/core/validation/validation.go. */
export function validatePathNoBacksteps(value: string, path: string): FieldError[] {
  return value.split("/").includes("..") ? [invalid(path, value, "must not contain '..'")] : [];
}

/** A path within a volume: relative, and not out of it. Source: validation.go, validateLocalDescendingPath. */
export function validateLocalDescendingPath(value: string, path: string): FieldError[] {
  const errors = value.startsWith("/") ? [invalid(path, value, "must be a relative path")] : [];
  return [...errors, ...validatePathNoBacksteps(value, path)];
}

/** A local path that also does not start with `..`. Source: validation.go, validateLocalNonReservedPath. */
export function validateLocalNonReservedPath(value: string, path: string): FieldError[] {
  const errors = validateLocalDescendingPath(value, path);
  if (value.startsWith("..") && !value.startsWith("../")) {
    errors.push(invalid(path, value, "must not start with '..'"));
  }
  return errors;
}
