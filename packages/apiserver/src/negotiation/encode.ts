import type { UnstructuredObject } from "@binnacle/apimachinery";
import { cloneJson, stringifyJson } from "@binnacle/base";
import type { Entry } from "@binnacle/storage";
import { convertFromHub, type ServedResource } from "../registry/resource-registry.ts";
import { derivedFrom, objectOf } from "../registry/stored-object.ts";

/** The frozen object of an entry in the version asked for. */
export function objectIn(served: ServedResource, entry: Entry): UnstructuredObject {
  if (served.isHub) return objectOf(entry);
  return derivedFrom(entry, `object ${served.apiVersion}`, (object) => {
    const converted = cloneJson(convertFromHub(served, object));
    return deepFreezeConverted(converted);
  });
}

/** The JSON bytes of an entry in the version asked for. */
export function bytesIn(served: ServedResource, entry: Entry): Uint8Array {
  if (served.isHub) return entry.value;
  return derivedFrom(entry, `bytes ${served.apiVersion}`, () =>
    Buffer.from(stringifyJson(objectIn(served, entry))),
  );
}

/**
 * How many bytes of an object's JSON its kind and apiVersion take, the brace included: items of built-in lists are
 * written without them. Every object is encoded with these two first.
 */
export function headLength(kind: string, apiVersion: string): number {
  return `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`.length;
}

/** The same object with kind and apiVersion first, as every answer has them. */
export function withTypeFirst<T extends UnstructuredObject>(object: T, kind: string, apiVersion: string): T {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return { kind, apiVersion, ...rest } as unknown as T; // The same properties in another order.
}

function deepFreezeConverted(object: UnstructuredObject): UnstructuredObject {
  return Object.freeze(object);
}
