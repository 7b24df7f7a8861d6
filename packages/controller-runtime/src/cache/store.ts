import type { KubeObject } from "@binnacle/apimachinery";
import { BugError } from "@binnacle/base";
import { textKeyOf } from "./object-key.ts";

/** The values an object is found by in an index; none leaves it out. */
export type IndexFunction<T extends KubeObject = KubeObject> = (object: T) => readonly string[];

/** Finds objects by their namespace. Every store has it. */
export const NAMESPACE_INDEX = "namespace";
/** Finds objects by the uids of their owners. Every store has it. */
export const OWNER_INDEX = "owner";

const BUILT_IN: ReadonlyMap<string, IndexFunction> = new Map<string, IndexFunction>([
  [NAMESPACE_INDEX, ({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace])],
  [OWNER_INDEX, ({ metadata }) => (metadata.ownerReferences ?? []).map((owner) => owner.uid)],
]);

interface Index {
  readonly valuesOf: IndexFunction;
  /** Value to key to object. */
  readonly entries: Map<string, Map<string, KubeObject>>;
}

/** Objects of one resource by key, with indexes. Knows nothing of where they come from. */
export class Store<T extends KubeObject = KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index>();

  constructor() {
    for (const [name, valuesOf] of BUILT_IN) this.addIndex(name, valuesOf);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Adds an index; objects that are there already are indexed now. The same function twice does nothing. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const present = this.#indexes.get(name);
    const untyped = valuesOf as IndexFunction; // Only ever called with what is in this store.
    if (present !== undefined) {
      if (present.valuesOf === untyped) return;
      throw new BugError(`index ${name} is there already with another function`);
    }
    const index: Index = { valuesOf: untyped, entries: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) addTo(index, key, object);
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** Every object, in no promised order. */
  list(): T[] {
    return [...this.#objects.values()];
  }

  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  /** The objects that the index finds under this value, in no promised order. */
  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new BugError(`there is no index ${name}`);
    const found = index.entries.get(value);
    return found === undefined ? [] : ([...found.values()] as T[]); // Only what was put in comes out.
  }

  /** Puts an object in; gives the one it replaces. */
  set(object: T): T | undefined {
    const key = textKeyOf(object);
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (old !== undefined) removeFrom(index, key, old);
      addTo(index, key, object);
    }
    return old;
  }

  /** Takes an object out and gives it. */
  delete(key: string): T | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) removeFrom(index, key, old);
    return old;
  }
}

function addTo(index: Index, key: string, object: KubeObject): void {
  for (const value of index.valuesOf(object)) {
    let bucket = index.entries.get(value);
    if (bucket === undefined) {
      bucket = new Map();
      index.entries.set(value, bucket);
    }
    bucket.set(key, object);
  }
}

function removeFrom(index: Index, key: string, object: KubeObject): void {
  for (const value of index.valuesOf(object)) {
    const bucket = index.entries.get(value);
    if (bucket === undefined) continue;
    bucket.delete(key);
    if (bucket.size === 0) index.entries.delete(value);
  }
}
