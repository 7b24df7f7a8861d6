import { JsonFloat } from "@binnacle/base";

/**
 * The part of a structural schema that ownership and merging depend on. A richer schema type with these properties is
 * assignable as it is; nothing here is specific to one source of schemas.
 *
 * Types that contain themselves are cyclic object graphs: walks follow a value or a field set, never a schema alone.
 */
export type MergeSchema = MergeObject | MergeMap | MergeList | MergeScalar;

/** A struct: its declared fields, each with its own type. */
export interface MergeObject {
  readonly type: "object";
  readonly fields: ReadonlyMap<string, MergeField>;
  /** Atomic: one owner for the whole value. Default granular: owners per field. */
  readonly mapType?: "atomic" | "granular";
  /** Fields that are not declared are accepted and treated as {@link DEDUCED}. */
  readonly preserveUnknownFields?: boolean;
}

export interface MergeField {
  readonly schema: MergeSchema;
  /** Stands in for a missing list key. */
  readonly default?: unknown;
}

/** A map from arbitrary keys to values of one type. */
export interface MergeMap {
  readonly type: "map";
  readonly values: MergeSchema;
  readonly mapType?: "atomic" | "granular";
}

export interface MergeList {
  readonly type: "list";
  readonly items: MergeSchema;
  /** Atomic: one owner for the whole list. Set: items are scalars and own themselves. Map: items have keys. */
  readonly listType: "atomic" | "set" | "map";
  readonly listMapKeys?: readonly string[];
}

export interface MergeScalar {
  readonly type:
    | "string"
    | "boolean"
    | "integer"
    | "number"
    | "bytes"
    | "quantity"
    | "time"
    | "microTime"
    | "duration"
    | "intOrString"
    | "any"
    | "fieldsV1";
  readonly format?: string;
}

/** No schema: maps are granular, lists atomic, scalars leaves, decided by each value. */
export const DEDUCED: MergeScalar = Object.freeze({ type: "any" });

/** The schema of a field of a struct; undefined when the struct does not admit the field. */
export function fieldSchema(schema: MergeObject, name: string): MergeSchema | undefined {
  const field = schema.fields.get(name);
  if (field !== undefined) return field.schema;
  // An object type that declares nothing at all is a free-form object.
  return schema.preserveUnknownFields === true || schema.fields.size === 0 ? DEDUCED : undefined;
}

/**
 * How one value is to be walked, after a schema without types has been resolved by the value.
 * Source: structured-merge-diff v6 typed/helpers.go, deduceAtom and handleAtom.
 */
export type Shape = "leaf" | "map" | "list";

/** The shape that `schema` gives `value`. Atomic maps and lists are leaves. A null takes its shape from the schema. */
export function shapeOf(schema: MergeSchema, value: unknown): Shape {
  switch (schema.type) {
    case "object":
    case "map":
      return schema.mapType === "atomic" ? "leaf" : "map";
    case "list":
      return schema.listType === "atomic" ? "leaf" : "list";
    case "any":
    case "fieldsV1":
      return value === null || isMap(value) ? "map" : "leaf";
    default:
      return "leaf";
  }
}

/** The schema of `key` inside a value of shape `map`, and whether the schema names that key. */
export function memberSchema(schema: MergeSchema, key: string): MergeSchema {
  if (schema.type === "map") return schema.values;
  if (schema.type === "object") return fieldSchema(schema, key) ?? DEDUCED;
  return DEDUCED;
}

/** Whether the schema declares `key` as a field, as opposed to a key of a map. */
export function isDeclared(schema: MergeSchema, key: string): boolean {
  return schema.type === "object" && schema.fields.has(key);
}

/** Whether a value is a JSON object. Wrapped numbers have a class of their own and are none. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonFloat)
  );
}
