import { keyElement, type PathElement, valueElement } from "../fieldpath/element.ts";
import { isMap, type MergeList } from "../schema.ts";

/** Why an item of a list has no identity. Not a path element: those start with a kind and a colon. */
export interface ItemError {
  readonly error: string;
}

/**
 * The identity of an item of a set or of a list with keys.
 * Source: structured-merge-diff v6 typed/helpers.go, listItemToPathElement (its error texts reach clients).
 */
export function itemElement(list: MergeList, item: unknown): PathElement | ItemError {
  const keys = list.listType === "map" ? list.listMapKeys : undefined;
  if (keys === undefined || keys.length === 0) return setItemElement(item);
  if (item === null || item === undefined) {
    return { error: "associative list with keys may not have a null element" };
  }
  if (!isMap(item)) return { error: "associative list with keys may not have non-map elements" };
  if (keys.length === 1) {
    const value = keyValue(list, keys[0]!, item);
    return value === undefined ? missingKey(keys[0]!) : keyElement(keys, [value]);
  }
  const names = [...keys].sort();
  const values: unknown[] = [];
  for (const name of names) values.push(keyValue(list, name, item));
  for (const name of keys) if (values[names.indexOf(name)] === undefined) return missingKey(name);
  return keyElement(names, values);
}

/** Undefined when the item lacks the key and the schema has no default for it. */
function keyValue(list: MergeList, name: string, item: Readonly<Record<string, unknown>>): unknown {
  const value = Object.hasOwn(item, name) ? item[name] : undefined;
  if (value !== undefined) return value;
  return list.items.type === "object" ? (list.items.fields.get(name)?.default ?? undefined) : undefined;
}

function missingKey(name: string): ItemError {
  const quoted = JSON.stringify(name);
  return {
    error: `associative list with keys has an element that omits key field ${quoted} (and doesn't have default value)`,
  };
}

function setItemElement(item: unknown): PathElement | ItemError {
  if (isMap(item)) return { error: "associative list without keys has an element that's a map type" };
  if (Array.isArray(item)) return { error: "not supported: associative list with lists as elements" };
  if (item === null || item === undefined) {
    return { error: "associative list without keys has an element that's an explicit null" };
  }
  return valueElement(item);
}
