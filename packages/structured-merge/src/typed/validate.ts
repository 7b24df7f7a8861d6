import { JsonFloat } from "@binnacle/base";
import { fieldElement, formatElement, formatScalar } from "../fieldpath/element.ts";
import { fieldSchema, isMap, type MergeScalar, type MergeSchema } from "../schema.ts";
import type { TypedError } from "./errors.ts";
import { itemElement } from "./list-item.ts";
import { goTypeName } from "./value.ts";

/**
 * Every way in which `value` does not fit `schema`: wrong types, fields the schema does not have, list items without
 * identity, and, unless `allowDuplicates`, list items with the same identity.
 *
 * Source: structured-merge-diff v6 typed/validate.go.
 */
export function validateTyped(
  value: unknown,
  schema: MergeSchema,
  options: { readonly allowDuplicates?: boolean } = {},
): TypedError[] {
  const errors: TypedError[] = [];
  validate(value, schema, "", options.allowDuplicates === true, errors);
  return errors;
}

function validate(
  value: unknown,
  schema: MergeSchema,
  path: string,
  allowDuplicates: boolean,
  errors: TypedError[],
): void {
  switch (schema.type) {
    case "object":
    case "map": {
      if (value === null) return;
      if (!isMap(value)) {
        errors.push({ path, message: `expected map, got ${formatUnexpected(value)}` });
        return;
      }
      for (const key of Object.keys(value)) {
        const item = value[key];
        if (item === undefined) continue;
        const itemPath = path + formatElement(fieldElement(key));
        const itemSchema = schema.type === "map" ? schema.values : fieldSchema(schema, key);
        if (itemSchema === undefined) {
          errors.push({ path: itemPath, message: "field not declared in schema" });
          return; // Upstream stops at the first one of a map.
        }
        validate(item, itemSchema, itemPath, allowDuplicates, errors);
      }
      return;
    }
    case "list": {
      if (value === null) return;
      if (!Array.isArray(value)) {
        errors.push({ path, message: `expected list, got ${formatUnexpected(value)}` });
        return;
      }
      const seen = new Set<string>();
      for (let i = 0; i < value.length; i++) {
        let element = `i:${i}`;
        if (schema.listType !== "atomic") {
          const identity = itemElement(schema, value[i]);
          if (typeof identity !== "string") {
            errors.push({ path, message: `element ${i}: ${identity.error}` });
            return;
          }
          element = identity;
          if (seen.has(element) && !allowDuplicates) {
            errors.push({ path, message: `duplicate entries for key ${formatElement(element)}` });
          }
          seen.add(element);
        }
        validate(value[i], schema.items, path + formatElement(element), allowDuplicates, errors);
      }
      return;
    }
    case "any":
    case "fieldsV1":
      return; // Any JSON fits.
    default: {
      const expected = value === null ? undefined : expectedScalar(schema, value);
      if (expected !== undefined) errors.push({ path, message: expected });
    }
  }
}

/** What to say of a value that is not of the scalar type; undefined when it is. */
function expectedScalar(schema: MergeScalar, value: unknown): string | undefined {
  switch (scalarKind(schema)) {
    case "numeric":
      return isNumber(value) ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case "string":
      return typeof value === "string" ? undefined : `expected string, got ${formatGoSyntax(value)}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got ${formatUnexpected(value)}`;
    case "untyped":
      return isMap(value) || Array.isArray(value)
        ? `expected any scalar, got ${formatUnexpected(value)}`
        : undefined;
  }
}

/** Source: kube-openapi pkg/schemaconv/smd.go, convertPrimitive: formatted strings accept any scalar. */
function scalarKind(schema: MergeScalar): "numeric" | "string" | "boolean" | "untyped" {
  switch (schema.type) {
    case "integer":
    case "number":
      return "numeric";
    case "boolean":
      return "boolean";
    case "bytes":
    case "duration":
      return "string";
    case "string":
      return schema.format === undefined || schema.format === "" ? "string" : "untyped";
    default:
      return "untyped";
  }
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof JsonFloat;
}

/** A value as Go's `%v` prints the wrapper that upstream keeps it in. */
function formatUnexpected(value: unknown): string {
  return isMap(value) || Array.isArray(value) ? formatGo(value) : `&{${formatGo(value)}}`;
}

/** A value as Go's `%#v` prints the wrapper that upstream keeps it in. */
function formatGoSyntax(value: unknown): string {
  return `&value.valueUnstructured{Value:${formatGoLiteral(value)}}`;
}

function formatGoLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatGoLiteral).join(", ")}}`;
  if (isMap(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${formatGoLiteral(value[key])}`);
    return `map[string]interface {}{${entries.join(", ")}}`;
  }
  return formatScalar(value);
}

function formatGo(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(formatGo).join(" ")}]`;
  if (isMap(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${key}:${formatGo(value[key])}`);
    return `map[${entries.join(" ")}]`;
  }
  return formatScalar(value);
}
