import { stringifyJson } from "@binnacle/base";

/** Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/validation/field/errors.go, ErrorType. */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "InternalError"
  | "FieldValueTypeInvalid";

/** One thing that is wrong with one field. `path` reads like `spec.containers[0].name` or `data[key]`. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly path: string;
  /** The type, the value where one helps, and the detail: what follows `path: ` in the message. */
  readonly body: string;
}

/** A required field is missing or empty. */
export function required(path: string, detail = ""): FieldError {
  return make("FieldValueRequired", path, "Required value", detail);
}

/** The value breaks a rule of the field; the value is shown. */
export function invalid(path: string, value: unknown, detail: string): FieldError {
  return make("FieldValueInvalid", path, `Invalid value: ${formatBadValue(value)}`, detail);
}

/** The value is not one of a closed set. `supported` is shown in the order given. */
export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  const detail =
    supported.length === 0
      ? ""
      : `supported values: ${supported.map((value) => JSON.stringify(value)).join(", ")}`;
  return make("FieldValueNotSupported", path, `Unsupported value: ${formatBadValue(value)}`, detail);
}

/** The field may not be set, or not to this, here. */
export function forbidden(path: string, detail: string): FieldError {
  return make("FieldValueForbidden", path, "Forbidden", detail);
}

/** The same value occurs twice where it must be unique. */
export function duplicate(path: string, value: unknown): FieldError {
  return make("FieldValueDuplicate", path, `Duplicate value: ${formatBadValue(value)}`, "");
}

/** The value refers to something that does not exist. */
export function notFoundValue(path: string, value: unknown): FieldError {
  return make("FieldValueNotFound", path, `Not found: ${formatBadValue(value)}`, "");
}

/** The value is longer than `maxLength` bytes; the value itself is not shown. */
export function tooLong(path: string, maxLength: number): FieldError {
  const detail = maxLength >= 0 ? `may not be more than ${maxLength} bytes` : "value is too long";
  return make("FieldValueTooLong", path, "Too long", detail);
}

/** The list has more than `maxItems` items. */
export function tooMany(path: string, actual: number, maxItems: number): FieldError {
  const unit = maxItems === 1 ? "item" : "items";
  const detail = maxItems >= 0 ? `must have at most ${maxItems} ${unit}` : "has too many items";
  return make("FieldValueTooMany", path, `Too many: ${actual}`, detail);
}

/** The value has the wrong JSON type. */
export function typeInvalid(path: string, value: unknown, detail: string): FieldError {
  return make("FieldValueTypeInvalid", path, `Invalid value: ${formatBadValue(value)}`, detail);
}

/** The check itself failed. */
export function internalFieldError(path: string, detail: string): FieldError {
  return make("InternalError", path, "Internal error", detail);
}

/** `path: body`, as it appears in messages. */
export function formatFieldError(error: FieldError): string {
  return `${error.path}: ${error.body}`;
}

function make(type: FieldErrorType, path: string, start: string, detail: string): FieldError {
  return { type, path, body: detail === "" ? start : `${start}: ${detail}` };
}

/** Strings are quoted, numbers and booleans bare, everything else is JSON; a missing value is `null`. */
function formatBadValue(value: unknown): string {
  if (value === undefined || value === null) return "null";
  return stringifyJson(value);
}
