import { fieldElement, SELF } from "../fieldpath/element.ts";
import { EMPTY_SET, type FieldSet, LEAF, type MutableFieldSet } from "../fieldpath/set.ts";
import { isDeclared, isMap, type MergeList, type MergeSchema, memberSchema, shapeOf } from "../schema.ts";
import { TypedValueError } from "./errors.ts";
import { itemElement } from "./list-item.ts";
import { isEmptyMap } from "./value.ts";

/**
 * The paths that a value sets: what an applier of it owns. Structs with fields and lists with items are not members
 * themselves; map keys, list items, atomic values, scalars, nulls and empty maps are.
 *
 * Throws {@link TypedValueError} for list items without identity. Items with the same identity count as one.
 * Source: structured-merge-diff v6 typed/tofieldset.go.
 */
export function toFieldSet(value: unknown, schema: MergeSchema): FieldSet {
  return collect(value, schema, false) ?? EMPTY_SET;
}

/** Undefined when the value has no paths. `self`: the value is a member whatever its type. */
function collect(value: unknown, schema: MergeSchema, self: boolean): FieldSet | undefined {
  switch (shapeOf(schema, value)) {
    case "leaf":
      return LEAF;
    case "map": {
      if (!isMap(value)) return self ? LEAF : undefined;
      let out: MutableFieldSet | undefined;
      for (const key in value) {
        const item = value[key];
        if (item === undefined) continue;
        const isSelf = !isDeclared(schema, key) || item === null || (isMap(item) && isEmptyMap(item));
        const child = collect(item, memberSchema(schema, key), isSelf);
        if (child === undefined) continue;
        out ??= self ? { [SELF]: LEAF } : {};
        out[fieldElement(key)] = child;
      }
      return out ?? (self ? LEAF : undefined);
    }
    case "list": {
      if (!Array.isArray(value) || value.length === 0) return self ? LEAF : undefined;
      const out: MutableFieldSet = self ? { [SELF]: LEAF } : {};
      const list = schema as MergeList; // Only lists have the shape of one.
      for (let i = 0; i < value.length; i++) {
        const element = identify(list, value[i], i);
        out[element] = element in out ? LEAF : (collect(value[i], list.items, true) ?? LEAF);
      }
      return out;
    }
  }
}

/** The identity of an item, which validation has made sure of; throws {@link TypedValueError} otherwise. */
export function identify(list: MergeList, item: unknown, index: number): string {
  const element = itemElement(list, item);
  if (typeof element !== "string") {
    throw new TypedValueError([{ path: "", message: `element ${index}: ${element.error}` }]);
  }
  return element;
}

/**
 * A value that appears or disappears as a whole: every path of it, each struct, map and list on the way included.
 * Source: structured-merge-diff v6 typed/compare.go, for a missing side.
 */
export function allPathsOf(value: unknown, schema: MergeSchema): FieldSet {
  switch (shapeOf(schema, value)) {
    case "leaf":
      return LEAF;
    case "map": {
      if (!isMap(value)) return LEAF;
      let out: MutableFieldSet | undefined;
      for (const key in value) {
        const item = value[key];
        if (item === undefined) continue;
        out ??= { [SELF]: LEAF };
        out[fieldElement(key)] = allPathsOf(item, memberSchema(schema, key));
      }
      return out ?? LEAF;
    }
    case "list": {
      if (!Array.isArray(value) || value.length === 0) return LEAF;
      const out: MutableFieldSet = { [SELF]: LEAF };
      const list = schema as MergeList; // Only lists have the shape of one.
      for (let i = 0; i < value.length; i++) {
        const element = identify(list, value[i], i);
        out[element] = element in out ? LEAF : allPathsOf(value[i], list.items);
      }
      return out;
    }
  }
}
