/**
 * An immutable map in key order: changing it gives a new map that shares everything but the path to the change, so a
 * snapshot costs nothing. A B+ tree; every operation on one key takes O(log n).
 *
 * Nodes are split when full and dropped when empty, but never merged: keys of one prefix come and go together, so
 * sparse neighbours fill up again.
 */
export class OrderedMap<V> {
  readonly #root: TreeNode<V>;

  private constructor(root: TreeNode<V>) {
    this.#root = root;
  }

  static empty<V>(): OrderedMap<V> {
    return new OrderedMap<V>({ keys: [], values: [], size: 0 });
  }

  get size(): number {
    return this.#root.size;
  }

  get(key: string): V | undefined {
    let node = this.#root;
    while ("children" in node) node = node.children[childIndex(node.keys, key)]!;
    const at = lowerBound(node.keys, key);
    return node.keys[at] === key ? node.values[at] : undefined;
  }

  set(key: string, value: V): OrderedMap<V> {
    const parts = insert(this.#root, key, value);
    if (parts.length === 1) return new OrderedMap(parts[0]!);
    return new OrderedMap(branch(parts));
  }

  delete(key: string): OrderedMap<V> {
    const root = remove(this.#root, key);
    if (root === this.#root) return this;
    if (root === undefined) return OrderedMap.empty();
    let top = root;
    while ("children" in top && top.children.length === 1) top = top.children[0]!;
    return new OrderedMap(top);
  }

  /** How many keys are less than `key`. */
  rank(key: string): number {
    let node = this.#root;
    let before = 0;
    while ("children" in node) {
      const at = childIndex(node.keys, key);
      for (let i = 0; i < at; i++) before += node.children[i]!.size;
      node = node.children[at]!;
    }
    return before + lowerBound(node.keys, key);
  }

  /** Calls back in key order from the first key >= `from`, until the callback returns false. */
  forEachFrom(from: string, callback: (key: string, value: V) => boolean): void {
    visit(this.#root, from, callback);
  }
}

type TreeNode<V> = Leaf<V> | Branch<V>;

interface Leaf<V> {
  readonly keys: readonly string[];
  readonly values: readonly V[];
  readonly size: number;
}

interface Branch<V> {
  /** The smallest key of each child. */
  readonly keys: readonly string[];
  readonly children: readonly TreeNode<V>[];
  readonly size: number;
}

/** Wide enough to keep the tree flat, small enough that copying a path stays cheap. */
const MAX_WIDTH = 48;

function insert<V>(node: TreeNode<V>, key: string, value: V): TreeNode<V>[] {
  if (!("children" in node)) {
    const at = lowerBound(node.keys, key);
    const replaces = node.keys[at] === key;
    const values = node.values.slice();
    if (replaces) {
      values[at] = value;
      return [{ keys: node.keys, values, size: node.size }];
    }
    const keys = node.keys.slice();
    keys.splice(at, 0, key);
    values.splice(at, 0, value);
    if (keys.length <= MAX_WIDTH) return [{ keys, values, size: keys.length }];
    const cut = splitPoint(at, keys.length);
    return [
      { keys: keys.slice(0, cut), values: values.slice(0, cut), size: cut },
      { keys: keys.slice(cut), values: values.slice(cut), size: keys.length - cut },
    ];
  }
  const at = childIndex(node.keys, key);
  const parts = insert(node.children[at]!, key, value);
  const children = node.children.slice();
  children.splice(at, 1, ...parts);
  if (children.length <= MAX_WIDTH) return [branch(children)];
  const cut = splitPoint(at, children.length);
  return [branch(children.slice(0, cut)), branch(children.slice(cut))];
}

/** Appending (names that grow, times) fills nodes to the brim; everything else splits in the middle. */
function splitPoint(at: number, length: number): number {
  return at >= length - 2 ? length - 2 : length >> 1;
}

function remove<V>(node: TreeNode<V>, key: string): TreeNode<V> | undefined {
  if (!("children" in node)) {
    const at = lowerBound(node.keys, key);
    if (node.keys[at] !== key) return node;
    if (node.keys.length === 1) return undefined;
    const keys = node.keys.slice();
    const values = node.values.slice();
    keys.splice(at, 1);
    values.splice(at, 1);
    return { keys, values, size: keys.length };
  }
  const at = childIndex(node.keys, key);
  const child = node.children[at]!;
  const rest = remove(child, key);
  if (rest === child) return node;
  const children = node.children.slice();
  if (rest === undefined) children.splice(at, 1);
  else children[at] = rest;
  return children.length === 0 ? undefined : branch(children);
}

function visit<V>(node: TreeNode<V>, from: string, callback: (key: string, value: V) => boolean): boolean {
  if ("children" in node) {
    for (let i = childIndex(node.keys, from); i < node.children.length; i++) {
      if (!visit(node.children[i]!, from, callback)) return false;
    }
    return true;
  }
  for (let i = lowerBound(node.keys, from); i < node.keys.length; i++) {
    if (!callback(node.keys[i]!, node.values[i]!)) return false;
  }
  return true;
}

function branch<V>(children: readonly TreeNode<V>[]): Branch<V> {
  let size = 0;
  const keys = new Array<string>(children.length);
  for (let i = 0; i < children.length; i++) {
    size += children[i]!.size;
    keys[i] = children[i]!.keys[0]!;
  }
  return { keys, children, size };
}

/** The child that holds, or would hold, the key. */
function childIndex(keys: readonly string[], key: string): number {
  let low = 1;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The first index whose key is >= `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
