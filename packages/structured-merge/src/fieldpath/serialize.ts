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
  let previous: string | undefined;
  let changed = false;
  const elements: string[] = [];
  const children: FieldSet[] = [];
  for (const element in set) {
    const child = set[element]!;
    const sorted = sortFieldSet(child);
    if (sorted !== child || (previous !== undefined && compareElements(previous, element) > 0))
      changed = true;
    previous = element;
    elements.push(element);
    children.push(sorted);
  }
  if (!changed) return set;
  const order = elements.map((_, index) => index);
  order.sort((a, b) => compareElements(elements[a]!, elements[b]!));
  const out: MutableFieldSet = {};
  for (const index of order) out[elements[index]!] = children[index]!;
  return out;
}
