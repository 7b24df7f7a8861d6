import { fieldNameOf, isKeyElement } from "../fieldpath/element.ts";
import { type FieldSet, isEmptySet, LEAF, type MutableFieldSet } from "../fieldpath/set.ts";
import { DEDUCED, type MergeSchema, memberSchema } from "../schema.ts";

/**
 * The set as it reads after schema changes: where the schema is atomic now, owners of parts own the whole.
 * The way back, from atomic to granular, needs nothing: the owner of the whole stays that.
 *
 * Source: structured-merge-diff v6 typed/reconcile_schema.go.
 */
export function collapseAtomic(set: FieldSet, schema: MergeSchema): FieldSet {
  let out: MutableFieldSet | undefined;
  for (const element in set) {
    const node = set[element]!;
    if (isEmptySet(node)) continue;
    const child = childSchema(schema, element);
    if (child === undefined) continue;
    const isAtomic =
      child.type === "list"
        ? child.listType === "atomic"
        : (child.type === "object" || child.type === "map") && child.mapType === "atomic";
    const collapsed = isAtomic ? LEAF : collapseAtomic(node, child);
    if (collapsed === node) continue;
    out ??= { ...set };
    out[element] = collapsed;
  }
  return out ?? set;
}

/** Undefined where the set says something that the schema has no place for. */
function childSchema(schema: MergeSchema, element: string): MergeSchema | undefined {
  if (schema.type === "list") return isKeyElement(element) ? schema.items : undefined;
  const name = fieldNameOf(element);
  if (name === undefined) return undefined;
  return schema.type === "object" || schema.type === "map" ? memberSchema(schema, name) : DEDUCED;
}
