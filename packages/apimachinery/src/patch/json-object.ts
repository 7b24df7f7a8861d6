import { JsonFloat, type JsonValue } from "@binnacle/base";

/** A JSON object, as opposed to a list, a scalar or a wrapped number. */
export type JsonObject = { [key: string]: JsonValue };

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonFloat)
  );
}

/** What Go's decoder calls the kind of a value in its errors. */
export function kindName(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (value instanceof JsonFloat) return "number";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
    case "bigint":
      return "number";
    default:
      return value === null ? "null" : "object";
  }
}

/** A value as Go's `%v` prints it: `map[a:1 b:[x y]]`. */
export function formatGoValue(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(" ")}]`;
  if (isJsonObject(value)) {
    const keys = Object.keys(value).sort();
    return `map[${keys.map((key) => `${key}:${formatGoValue(value[key]!)}`).join(" ")}]`;
  }
  return value instanceof JsonFloat ? String(value.value) : String(value);
}

/** The Go type that the decoder puts a value into when nothing is known of it. */
export function goTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (value instanceof JsonFloat) return "float64";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    case "bigint":
      return "int64";
    default:
      return value === null ? "<nil>" : "map[string]interface {}";
  }
}
