import { JsonFloat, type JsonValue } from "@binnacle/base";
import type { ScalarSchema, Schema } from "../schema/schema.ts";
import { goTypeOf, isJsonObject } from "./json-object.ts";

/**
 * What upstream says of a strategically patched object whose values do not fit its type: it puts such objects back
 * into structs with a converter of its own instead of the JSON decoder. Undefined where the converter finds nothing;
 * quantities, times and other values that read themselves are left to the decoder.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/runtime/converter.go, fromUnstructured.
 */
export function restoreFailure(schema: Schema, value: JsonValue): string | undefined {
  if (value === null) return undefined;
  switch (schema.type) {
    case "object":
      if (!isJsonObject(value)) return `cannot restore struct from: ${kindOf(value)}`;
      for (const field of schema.fields.values()) {
        if (!Object.hasOwn(value, field.name)) continue;
        const failure = restoreFailure(field.schema, value[field.name]!);
        if (failure !== undefined) return failure;
      }
      return undefined;
    case "map":
      if (!isJsonObject(value)) return `cannot restore map from ${kindOf(value)}`;
      return firstFailure(schema.values, Object.values(value));
    case "list":
      if (!Array.isArray(value)) return `cannot restore slice from ${kindOf(value)}`;
      return firstFailure(schema.items, value);
    case "bytes":
      return typeof value === "string" ? undefined : `cannot restore slice from ${kindOf(value)}`;
    case "string":
    case "boolean":
    case "integer":
    case "number":
      return scalarFailure(schema, value);
    default:
      return undefined;
  }
}

function firstFailure(schema: Schema, values: readonly JsonValue[]): string | undefined {
  for (const value of values) {
    const failure = restoreFailure(schema, value);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Go converts between numbers, and from integers to text; JSON does not, so those are called by their types. */
function scalarFailure(schema: ScalarSchema, value: JsonValue): string | undefined {
  const kind = kindOf(value);
  const isNumber = kind === "int64" || kind === "float64";
  switch (schema.type) {
    case "string":
      if (kind === "string") return undefined;
      return kind === "int64" ? "cannot convert int64 to string" : "unrecognized type: string";
    case "boolean":
      return kind === "bool" ? undefined : "unrecognized type: bool";
    case "integer": {
      const type = schema.format ?? "int64";
      if (!isNumber) return `unrecognized type: ${type}`;
      const isWhole = kind === "int64" || value instanceof JsonFloat;
      return isWhole ? undefined : `cannot convert float64 to ${type}`;
    }
    default:
      return isNumber ? undefined : "unrecognized type: float64";
  }
}

/** The kind that Go's reflection names, where an error does not name the type. */
function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return "slice";
  return isJsonObject(value) ? "map" : goTypeOf(value);
}
