import { setOwn } from "@binnacle/base";
import { formatElement } from "../fieldpath/element.ts";
import { isMap, type MergeList, type MergeSchema, memberSchema, shapeOf } from "../schema.ts";
import { TypedValueError } from "./errors.ts";
import { itemElement } from "./list-item.ts";
import { isEmptyMap } from "./value.ts";

/**
 * `base` with the values of `applied` on top: structs, granular maps and lists with identity are merged, everything
 * else is replaced. Nothing is removed. Shares unchanged parts with both inputs and changes neither.
 *
 * Lists keep the order of `applied`; items only in `base` stay where they were among their neighbours.
 * Throws {@link TypedValueError} when `applied` repeats an identity. Source: structured-merge-diff v6 typed/merge.go.
 */
export function merge(base: unknown, applied: unknown, schema: MergeSchema): unknown {
  if (applied === undefined || base === applied) return base;
  if (base === undefined) {
    // Nothing to merge with, but null and empty parts are kept as they are and duplicates found by validation.
    return applied;
  }
  const shape = applied === null ? shapeOf(schema, base) : shapeOf(schema, applied);
  switch (shape) {
    case "leaf":
      return applied;
    case "map": {
      const left = isMap(base) && !isEmptyMap(base) ? base : undefined;
      const right = isMap(applied) && !isEmptyMap(applied) ? applied : undefined;
      if (left === undefined) return applied;
      if (right === undefined) return base;
      return mergeMaps(left, right, schema);
    }
    case "list": {
      const left: readonly unknown[] = Array.isArray(base) ? base : [];
      const right: readonly unknown[] = Array.isArray(applied) ? applied : [];
      if (left.length === 0) return applied;
      if (right.length === 0) return base;
      return mergeLists(left, right, schema as MergeList); // Only lists have the shape of one.
    }
  }
}

function mergeMaps(
  base: Readonly<Record<string, unknown>>,
  applied: Readonly<Record<string, unknown>>,
  schema: MergeSchema,
): unknown {
  let out: Record<string, unknown> | undefined;
  for (const key of Object.keys(applied)) {
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    const after = merge(before, applied[key], memberSchema(schema, key));
    if (after === before) continue;
    out ??= copyMap(base);
    setOwn(out, key, after);
  }
  return out ?? base;
}

/** A shallow copy that keeps `__proto__` an ordinary key. */
export function copyMap(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(map)) setOwn(out, key, map[key]);
  return out;
}

function mergeLists(base: readonly unknown[], applied: readonly unknown[], list: MergeList): unknown {
  const left = index(base, list, true);
  const right = index(applied, list, false);
  const shared = right.order.filter((element) => left.items.has(element));
  const out: unknown[] = [];
  const merged = new Set<string>();
  let nextShared = shared.shift();
  const mergeItem = (element: string): void => {
    merged.add(element);
    // An identity that the base repeats is replaced, not merged.
    const before = left.repeated.has(element) ? undefined : left.items.get(element);
    out.push(merge(before, right.items.get(element), list.items));
  };

  let l = 0;
  let r = 0;
  while (l < left.order.length || r < right.order.length) {
    const leftElement = left.order[l];
    const rightElement = right.order[r];
    if (leftElement !== undefined && rightElement !== undefined) {
      if (leftElement === rightElement) {
        mergeItem(leftElement);
        l++;
        r++;
        nextShared = shared.shift();
        continue;
      }
      if (right.items.has(leftElement) && nextShared !== undefined && nextShared !== leftElement) {
        l++; // A shared item, but not the one whose turn it is: it comes with the applied order.
        continue;
      }
    }
    if (leftElement !== undefined) {
      if (!right.items.has(leftElement)) {
        out.push(base[l]);
        l++;
        continue;
      }
      if (merged.has(leftElement)) l++;
    }
    if (rightElement !== undefined) {
      mergeItem(rightElement);
      r++;
      if (nextShared === rightElement) nextShared = shared.shift();
    }
  }
  if (out.length === base.length && out.every((item, i) => item === base[i])) return base;
  return out;
}

interface Index {
  readonly order: string[];
  readonly items: Map<string, unknown>;
  readonly repeated: Set<string>;
}

function index(items: readonly unknown[], list: MergeList, allowDuplicates: boolean): Index {
  const result: Index = { order: [], items: new Map(), repeated: new Set() };
  items.forEach((item, i) => {
    const element = itemElement(list, item);
    if (typeof element !== "string") {
      throw new TypedValueError([{ path: "", message: `element ${i}: ${element.error}` }]);
    }
    if (result.items.has(element)) {
      if (!allowDuplicates) {
        const message = `duplicate entries for key ${formatElement(element)}`;
        throw new TypedValueError([{ path: "", message }]);
      }
      result.repeated.add(element);
    } else result.items.set(element, item);
    result.order.push(element);
  });
  return result;
}
