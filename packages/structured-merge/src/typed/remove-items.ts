import { setOwn } from "@binnacle/base";
import { fieldElement } from "../fieldpath/element.ts";
import { type FieldSet, isEmptySet, isMember } from "../fieldpath/set.ts";
import { isMap, type MergeList, type MergeSchema, memberSchema, shapeOf } from "../schema.ts";
import { identify } from "./to-field-set.ts";
import { isEmptyMap } from "./value.ts";

/**
 * The value without the members of `set` and all below them. A struct or list that has nothing left becomes undefined.
 * Shares what is kept; changes nothing.
 *
 * Source: structured-merge-diff v6 typed/remove.go.
 */
export function removeItems(value: unknown, set: FieldSet, schema: MergeSchema): unknown {
  if (isEmptySet(set)) return value;
  switch (shapeOf(schema, value)) {
    case "leaf":
      return value;
    case "map": {
      if (!isMap(value)) return value;
      let changed = false;
      const out: Record<string, unknown> = {};
      let count = 0;
      for (const key of Object.keys(value)) {
        const item = value[key];
        const kept = removeItem(item, set[fieldElement(key)], memberSchema(schema, key));
        if (kept !== item) changed = true;
        if (kept === undefined) continue;
        count++;
        setOwn(out, key, kept);
      }
      if (!changed) return value;
      return count === 0 ? undefined : out;
    }
    case "list": {
      if (!Array.isArray(value)) return value;
      const list = schema as MergeList; // Only lists have the shape of one.
      let changed = false;
      const out: unknown[] = [];
      for (let i = 0; i < value.length; i++) {
        const kept = removeItem(value[i], set[identify(list, value[i], i)], list.items);
        if (kept !== value[i]) changed = true;
        if (kept !== undefined) out.push(kept);
      }
      if (!changed) return value;
      return out.length === 0 ? undefined : out;
    }
  }
}

function removeItem(item: unknown, node: FieldSet | undefined, schema: MergeSchema): unknown {
  if (node === undefined) return item;
  return isMember(node) ? undefined : removeItems(item, node, schema);
}

/**
 * The part of the value that `set` names: members whole when they are atomic or scalar, otherwise what of them the set
 * names below. Keys of list items are kept only when the set names them, as it does in every applied set.
 * Undefined when nothing is left.
 *
 * Source: structured-merge-diff v6 typed/typed.go, ExtractItems.
 */
export function extractItems(value: unknown, set: FieldSet, schema: MergeSchema): unknown {
  switch (shapeOf(schema, value)) {
    case "leaf":
      return value;
    case "map": {
      if (!isMap(value) || isEmptyMap(value)) return value;
      let out: Record<string, unknown> | undefined;
      for (const key of Object.keys(value)) {
        const node = set[fieldElement(key)];
        if (node === undefined) continue;
        const kept = extractItems(value[key], node, memberSchema(schema, key));
        if (kept === undefined) continue;
        out ??= {};
        setOwn(out, key, kept);
      }
      return out;
    }
    case "list": {
      if (!Array.isArray(value) || value.length === 0) return value;
      const list = schema as MergeList; // Only lists have the shape of one.
      const out: unknown[] = [];
      for (let i = 0; i < value.length; i++) {
        const node = set[identify(list, value[i], i)];
        if (node === undefined) continue;
        const kept = extractItems(value[i], node, list.items);
        if (kept !== undefined) out.push(kept);
      }
      return out.length === 0 ? undefined : out;
    }
  }
}
