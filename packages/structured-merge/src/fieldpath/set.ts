import { isDeclared, type MergeSchema, memberSchema } from "../schema.ts";
import { compareElements, fieldNameOf, isKeyElement, type PathElement, SELF } from "./element.ts";

/**
 * A set of field paths as a trie, in exactly the form of FieldsV1, so that nothing has to be encoded or decoded.
 *
 * A child without entries is a member. A child with entries is a member only when it holds `.`. Sets are values: no
 * function changes one it was given, and results share what did not change with their inputs. Element keys start with
 * `f:`, `k:`, `v:` or `i:`, so no user data can reach a prototype through them.
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet;
}

/** A set under construction. */
export interface MutableFieldSet {
  [element: PathElement]: FieldSet;
}

/** A member without children, and the set that holds nothing. */
export const LEAF: FieldSet = Object.freeze({});

/** The set of no paths. */
export const EMPTY_SET: FieldSet = LEAF;

/** Whether a set holds no path at all. */
export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether a child node is itself a member. */
export function isMember(node: FieldSet): boolean {
  return SELF in node || isEmptySet(node);
}

/** Whether the path is a member. The empty path is never one. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  if (path.length === 0) return false;
  let node = set;
  for (const element of path) {
    const child = node[element];
    if (child === undefined) return false;
    node = child;
  }
  return isMember(node);
}

/** A set of the given paths. */
export function setOfPaths(paths: readonly (readonly PathElement[])[]): FieldSet {
  let set = EMPTY_SET;
  for (const path of paths) {
    if (path.length === 0) continue;
    let branch: FieldSet = LEAF;
    for (let i = path.length - 1; i >= 0; i--) branch = { [path[i]!]: branch };
    set = union(set, branch);
  }
  return set;
}

/** Paths in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  let out: MutableFieldSet | undefined;
  for (const element in b) {
    if (element === SELF) {
      if (!(SELF in a)) out = addSelf(out ?? a);
      continue;
    }
    const left = a[element];
    const merged = left === undefined ? b[element]! : unionNodes(left, b[element]!);
    if (merged === left) continue;
    out ??= { ...a };
    out[element] = merged;
  }
  return out ?? a;
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(a)) return SELF in b || isEmptySet(b) ? b : addSelf(b);
  if (isEmptySet(b)) return SELF in a ? a : addSelf(a);
  return union(a, b);
}

/** Paths in `a` that are not in `b`. A member of `b` does not take its children with it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  let out: MutableFieldSet | undefined;
  for (const element in b) {
    const left = a[element];
    if (left === undefined || element === SELF) continue;
    const rest = differenceOfNodes(left, b[element]!);
    if (rest === left) continue;
    out ??= { ...a };
    if (rest === undefined) delete out[element];
    else out[element] = rest;
  }
  return out ?? a;
}

/** Undefined when nothing is left. */
function differenceOfNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const takesSelf = isMember(b);
  if (isEmptySet(a)) return takesSelf ? undefined : a;
  const rest = difference(a, b);
  if (isEmptySet(rest)) return undefined;
  if (!takesSelf || !(SELF in rest)) return isOnlySelf(rest) ? LEAF : rest;
  const out: MutableFieldSet = { ...rest };
  delete out[SELF];
  return isEmptySet(out) ? undefined : out;
}

/** Paths in `a` that are neither in `b` nor below a member of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  let out: MutableFieldSet | undefined;
  for (const element in b) {
    const left = a[element];
    if (left === undefined || element === SELF) continue;
    const right = b[element]!;
    let rest: FieldSet | undefined;
    if (isMember(right)) rest = undefined;
    else if (isEmptySet(left)) rest = left;
    else {
      rest = recursiveDifference(left, right);
      if (isEmptySet(rest)) rest = undefined;
      else if (isOnlySelf(rest)) rest = LEAF;
    }
    if (rest === left) continue;
    out ??= { ...a };
    if (rest === undefined) delete out[element];
    else out[element] = rest;
  }
  return out ?? a;
}

/** Paths in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out: MutableFieldSet = {};
  for (const element in a) {
    const right = b[element];
    if (right === undefined || element === SELF) continue;
    const common = intersectionOfNodes(a[element]!, right);
    if (common !== undefined) out[element] = common;
  }
  return out;
}

function intersectionOfNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const both = isMember(a) && isMember(b);
  const children = intersection(a, b);
  if (isEmptySet(children)) return both ? LEAF : undefined;
  return both ? addSelf(children) : children;
}

/** Members that have no members below them. */
export function leavesOf(set: FieldSet): FieldSet {
  const out: MutableFieldSet = {};
  for (const element in set) {
    if (element === SELF) continue;
    const child = leavesOf(set[element]!);
    out[element] = isEmptySet(child) ? LEAF : child;
  }
  return out;
}

/** Whether the two sets hold the same paths. */
export function setsEqual(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  let count = 0;
  for (const element in a) {
    const right = b[element];
    if (right === undefined || !setsEqual(a[element]!, right)) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}

/** Every path, in order; a path comes before those below it. */
export function pathsOf(set: FieldSet): PathElement[][] {
  const paths: PathElement[][] = [];
  collectPaths(set, [], paths);
  return paths;
}

function collectPaths(set: FieldSet, prefix: readonly PathElement[], into: PathElement[][]): void {
  // Upstream visits all members of a level before it descends.
  const elements = Object.keys(set).filter((element) => element !== SELF);
  elements.sort(compareElements);
  for (const element of elements) if (isMember(set[element]!)) into.push([...prefix, element]);
  for (const element of elements) collectPaths(set[element]!, [...prefix, element], into);
}

/**
 * Adds every declared struct field on the way to a member as a member itself, so that a struct goes when all of its
 * owned fields go. Source: structured-merge-diff v6 fieldpath/set.go, EnsureNamedFieldsAreMembers.
 */
export function ensureNamedFieldsAreMembers(set: FieldSet, schema: MergeSchema | undefined): FieldSet {
  const out: MutableFieldSet = {};
  for (const element in set) {
    const node = set[element]!;
    if (element === SELF || isEmptySet(node)) {
      out[element] = node;
      continue;
    }
    const name = fieldNameOf(element);
    let childSchema: MergeSchema | undefined;
    if (schema !== undefined && name !== undefined && schema.type !== "list") {
      childSchema = memberSchema(schema, name);
    } else if (schema?.type === "list" && isKeyElement(element)) childSchema = schema.items;
    const child = ensureNamedFieldsAreMembers(node, childSchema);
    const declared = name !== undefined && schema !== undefined && isDeclared(schema, name);
    out[element] = declared && !(SELF in child) ? addSelf(child) : child;
  }
  return out;
}

/** The same node with itself as a member. */
export function addSelf(node: FieldSet): MutableFieldSet {
  return { [SELF]: LEAF, ...node };
}

function isOnlySelf(node: FieldSet): boolean {
  if (!(SELF in node)) return false;
  for (const element in node) if (element !== SELF) return false;
  return true;
}
