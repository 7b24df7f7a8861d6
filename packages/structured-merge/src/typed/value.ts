import { JsonFloat } from "@binnacle/base";

/** Whether two values are equal; numbers by value, whether they were written `1` or `1.0`. */
export function valuesEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return (a instanceof JsonFloat || b instanceof JsonFloat) && numberOf(a) === numberOf(b);
  }
  if (a instanceof JsonFloat || b instanceof JsonFloat) return numberOf(a) === numberOf(b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!valuesEqual(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const left = a as Readonly<Record<string, unknown>>; // Neither null, array nor number: JSON leaves only objects.
  const right = b as Readonly<Record<string, unknown>>;
  let count = 0;
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    count++;
    if (!Object.hasOwn(right, key) || right[key] === undefined || !valuesEqual(value, right[key]))
      return false;
  }
  for (const key in right) if (right[key] !== undefined) count--;
  return count === 0;
}

/** Undefined for what is no number, which equals no number. */
function numberOf(value: unknown): number | undefined {
  if (value instanceof JsonFloat) return value.value;
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return undefined;
}

/** Whether a map has no entries. Undefined entries count as absent. */
export function isEmptyMap(map: Readonly<Record<string, unknown>>): boolean {
  for (const key in map) if (map[key] !== undefined) return false;
  return true;
}

/** The name of a value's Go type, as `%T` prints it. */
export function goTypeName(value: unknown): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int64";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    default:
      if (value === null || value === undefined) return "<nil>";
      if (value instanceof JsonFloat) return "float64";
      return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
  }
}
