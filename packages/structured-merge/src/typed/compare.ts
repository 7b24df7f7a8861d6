import { fieldElement } from "../fieldpath/element.ts";
import {
  addSelf,
  EMPTY_SET,
  type FieldSet,
  isEmptySet,
  LEAF,
  type MutableFieldSet,
} from "../fieldpath/set.ts";
import { isMap, type MergeList, type MergeSchema, memberSchema, shapeOf } from "../schema.ts";
import { allPathsOf, identify } from "./to-field-set.ts";
import { isEmptyMap, valuesEqual } from "./value.ts";

/** What distinguishes a newer value from an older one. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** The same below one node; undefined where there is nothing. */
interface Delta {
  added: FieldSet | undefined;
  modified: FieldSet | undefined;
  removed: FieldSet | undefined;
}

const NO_CHANGE: Comparison = Object.freeze({ added: EMPTY_SET, modified: EMPTY_SET, removed: EMPTY_SET });

/**
 * Which paths `updated` adds, changes and lacks. Values that are the same object are not walked, so that comparing
 * copies that share structure costs only what differs.
 *
 * Throws a typed value error for list items without identity.
 * Source: structured-merge-diff v6 typed/compare.go.
 */
export function compare(old: unknown, updated: unknown, schema: MergeSchema): Comparison {
  const delta = compareValues(old, updated, schema);
  if (delta === undefined) return NO_CHANGE;
  return {
    added: delta.added ?? EMPTY_SET,
    modified: delta.modified ?? EMPTY_SET,
    removed: delta.removed ?? EMPTY_SET,
  };
}

/** Neither side is missing. */
function compareValues(old: unknown, updated: unknown, schema: MergeSchema): Delta | undefined {
  if (old === updated) return undefined;
  const oldShape = shapeOf(schema, old);
  const newShape = shapeOf(schema, updated);
  if (oldShape !== newShape && old !== null && updated !== null) {
    // Only without a schema: the value turned from a leaf into a map or back.
    const delta: Delta = { added: undefined, modified: LEAF, removed: undefined };
    if (newShape === "map") delta.added = childrenOf(updated, schema);
    else delta.removed = childrenOf(old, schema);
    return delta;
  }
  const shape = old === null ? newShape : oldShape;
  switch (shape) {
    case "leaf":
      return leafDelta(old, updated);
    case "map": {
      const left = isMap(old) ? old : undefined;
      const right = isMap(updated) ? updated : undefined;
      const leftIsEmpty = left === undefined || isEmptyMap(left);
      const rightIsEmpty = right === undefined || isEmptyMap(right);
      if (leftIsEmpty && rightIsEmpty) return leafDelta(old, updated);
      return compareMaps(leftIsEmpty ? {} : left, rightIsEmpty ? {} : right, schema);
    }
    case "list": {
      const left: readonly unknown[] = Array.isArray(old) ? old : [];
      const right: readonly unknown[] = Array.isArray(updated) ? updated : [];
      if (left.length === 0 && right.length === 0) return leafDelta(old, updated);
      return compareLists(left, right, schema as MergeList); // Only lists have the shape of one.
    }
  }
}

/** The paths below a map that appears or disappears, without itself. */
function childrenOf(value: unknown, schema: MergeSchema): FieldSet | undefined {
  const { ".": _, ...children } = allPathsOf(value, schema) as MutableFieldSet;
  return isEmptySet(children) ? undefined : children;
}

function leafDelta(old: unknown, updated: unknown): Delta | undefined {
  return valuesEqual(old, updated) ? undefined : { added: undefined, modified: LEAF, removed: undefined };
}

function compareMaps(
  old: Readonly<Record<string, unknown>>,
  updated: Readonly<Record<string, unknown>>,
  schema: MergeSchema,
): Delta | undefined {
  const builder = new DeltaBuilder();
  for (const key in updated) {
    const item = updated[key];
    if (item === undefined) continue;
    const before = Object.hasOwn(old, key) ? old[key] : undefined;
    if (before === item) continue;
    if (before === undefined) builder.added(fieldElement(key), allPathsOf(item, memberSchema(schema, key)));
    else {
      const delta = compareValues(before, item, memberSchema(schema, key));
      if (delta !== undefined) builder.child(fieldElement(key), delta);
    }
  }
  for (const key in old) {
    const item = old[key];
    if (item === undefined) continue;
    if (Object.hasOwn(updated, key) && updated[key] !== undefined) continue;
    builder.removed(fieldElement(key), allPathsOf(item, memberSchema(schema, key)));
  }
  return builder.delta;
}

function compareLists(
  old: readonly unknown[],
  updated: readonly unknown[],
  list: MergeList,
): Delta | undefined {
  const before = groupByIdentity(old, list);
  const after = groupByIdentity(updated, list);
  const builder = new DeltaBuilder();
  const seen = new Set<string>();
  for (const groups of [before, after]) {
    for (const element of groups.keys()) {
      if (seen.has(element)) continue;
      seen.add(element);
      compareItems(element, before.get(element) ?? [], after.get(element) ?? [], list, builder);
    }
  }
  return builder.delta;
}

/** Items with the same identity are compared as one atomic list; alone, an item is compared with its counterpart. */
function compareItems(
  element: string,
  old: readonly unknown[],
  updated: readonly unknown[],
  list: MergeList,
  builder: DeltaBuilder,
): void {
  if (old.length <= 1 && updated.length <= 1) {
    if (old.length === 0) builder.added(element, allPathsOf(updated[0], list.items));
    else if (updated.length === 0) builder.removed(element, allPathsOf(old[0], list.items));
    else {
      const delta = compareValues(old[0], updated[0], list.items);
      if (delta !== undefined) builder.child(element, delta);
    }
  } else if (old.length >= 2 && updated.length >= 2) {
    if (!valuesEqual(old, updated))
      builder.child(element, { added: undefined, modified: LEAF, removed: undefined });
  } else if (old.length >= 2) {
    if (updated.length === 1) builder.added(element, allPathsOf(updated[0], list.items));
    builder.removed(element, LEAF);
  } else {
    if (old.length === 1) builder.removed(element, allPathsOf(old[0], list.items));
    builder.added(element, LEAF);
  }
}

function groupByIdentity(items: readonly unknown[], list: MergeList): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (let i = 0; i < items.length; i++) {
    const element = identify(list, items[i], i);
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [items[i]]);
    else group.push(items[i]);
  }
  return groups;
}

/** Collects the differences of the parts of one value; nothing is allocated before there is one. */
class DeltaBuilder {
  delta: Delta | undefined;

  added(element: string, set: FieldSet): void {
    this.#put("added", element, set);
  }

  removed(element: string, set: FieldSet): void {
    this.#put("removed", element, set);
  }

  child(element: string, delta: Delta): void {
    if (delta.added !== undefined) this.#put("added", element, delta.added);
    if (delta.modified !== undefined) this.#put("modified", element, delta.modified);
    if (delta.removed !== undefined) this.#put("removed", element, delta.removed);
  }

  #put(kind: keyof Delta, element: string, set: FieldSet): void {
    this.delta ??= { added: undefined, modified: undefined, removed: undefined };
    const into = (this.delta[kind] ?? {}) as MutableFieldSet; // Only this builder has made it.
    const present = into[element];
    // An item can be marked a second time only when it became, or stops being, a duplicate.
    into[element] = present === undefined || isEmptySet(present) ? set : addSelf(present);
    this.delta[kind] = into;
  }
}
