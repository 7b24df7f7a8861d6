import type { KubeObject, UnstructuredObject } from "@binnacle/apimachinery";
import { deepFreeze, parseJson, stringifyJson } from "@binnacle/base";
import type { EncodedValue, Entry } from "@binnacle/storage";

/**
 * What is known about a stored version of an object beyond its bytes: the parsed object, and forms of it that were
 * derived for readers. Lives as long as the version, attached to its entry, so everything is derived once.
 */
class StoredObject {
  #object: UnstructuredObject | undefined;
  #isFrozen = false;
  readonly derived = new Map<string, unknown>();

  constructor(object?: UnstructuredObject) {
    this.#object = object;
  }

  /** Frozen: shared by all readers in this process. */
  object(entry: Entry): UnstructuredObject {
    this.#object ??= parseStored(entry.value);
    if (!this.#isFrozen) {
      deepFreeze(this.#object);
      this.#isFrozen = true;
    }
    return this.#object;
  }
}

/** The frozen object of an entry; parsed at most once. */
export function objectOf<T extends KubeObject = UnstructuredObject>(entry: Entry): T {
  // The caller names the kind that is stored under this entry's key.
  return attachmentOf(entry).object(entry) as KubeObject as T;
}

/** Something derived from an entry under a name, computed at most once per version. */
export function derivedFrom<T>(entry: Entry, name: string, derive: (object: UnstructuredObject) => T): T {
  const { derived } = attachmentOf(entry);
  const known = derived.get(name);
  if (known !== undefined) return known as T; // Names are unique per derivation, so the type is the one stored.
  const value = derive(objectOf(entry));
  derived.set(name, value);
  return value;
}

/**
 * Encodes an object for the store at a revision. The object is taken over: it gets its resourceVersion and must not
 * be changed afterwards.
 */
export function encodeForStore(object: UnstructuredObject, revision: number): EncodedValue {
  object.metadata.resourceVersion = String(revision);
  return { value: Buffer.from(stringifyJson(object)), attachment: new StoredObject(object) };
}

function attachmentOf(entry: Entry): StoredObject {
  if (entry.attachment instanceof StoredObject) return entry.attachment;
  const attachment = new StoredObject();
  entry.attachment = attachment;
  return attachment;
}

function parseStored(value: Uint8Array): UnstructuredObject {
  // The server wrote these bytes from an object, and storage checks that they are whole.
  return parseJson(Buffer.from(value.buffer, value.byteOffset, value.length).toString("utf8"))
    .value as unknown as UnstructuredObject;
}
