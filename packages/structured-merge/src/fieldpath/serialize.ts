import { compareElements, parseElement, SELF } from "./element.ts";
import { type FieldSet, LEAF, type MutableFieldSet } from "./set.ts";

/** Deeper tries than this are refused: no object nests this far. */
const MAX_DEPTH = 1_000;

/**
 * Reads FieldsV1 as a client may have sent it; undefined when it is not a well-formed trie.
 * Source: structured-merge-diff v6 fieldpath/serialize.go.
 */
export function parseFieldSet(json: unknown): FieldSet | undefined {
  return parseNode(json, 0);
}

function parseNode(json: unknown, depth: number): FieldSet | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json) || depth > MAX_DEPTH) return undefined;
  const node = json as Readonly<Record<string, unknown>>; // Neither null nor an array.
  const out: MutableFieldSet = {};
  let isLeaf = true;
  for (const key of Object.keys(node)) {
    const element = parseElement(key);
    if (element === undefined) return undefined;
    isLeaf = false;
    if (element === SELF) {
      out[SELF] = LEAF;
      continue;
    }
    const child = parseNode(node[key], depth + 1);
    if (child === undefined) return undefined;
    out[element] = child;
  }
  if (isLeaf) return LEAF;
  // A member is written `{}` when it has no children, whoever spelled it `{".":{}}`.
  const isOnlySelf = SELF in out && Object.keys(out).length === 1;
  return isOnlySelf && depth > 0 ? LEAF : out;
}

/** The same set with its elements in upstream's order. Parts that are in order already are shared. */
export function sortFieldSet(set: FieldSet): FieldSet {
  let previous = "";
  let isOrdered = true;
  let sortedChildren: Map<string, FieldSet> | undefined;
  for (const element in set) {
    const child = set[element]!;
    if (child !== LEAF) {
      const sorted = sortFieldSet(child);
      if (sorted !== child) {
        sortedChildren ??= new Map();
        sortedChildren.set(element, sorted);
      }
    }
    if (isOrdered && previous !== "" && compareElements(previous, element) > 0) isOrdered = false;
    previous = element;
  }
  if (isOrdered && sortedChildren === undefined) return set;
  const elements = Object.keys(set);
  if (!isOrdered) elements.sort(compareElements);
  const out: MutableFieldSet = {};
  for (const element of elements) out[element] = sortedChildren?.get(element) ?? set[element]!;
  return out;
}
