import type { KubeObject, UnstructuredObject } from "@binnacle/apimachinery";
import { cloneJson } from "@binnacle/base";
import { convertFromHub, convertToHub, type ServedResource } from "../registry/resource-registry.ts";

/**
 * Fills what the user left out, by the rules of the version the object is in. Takes the object over and gives it, or
 * a new one, back. A version without rules of its own goes through the stored version's.
 */
export function setDefaults(served: ServedResource, versioned: UnstructuredObject): UnstructuredObject {
  const { conversion, definition } = served;
  if (conversion?.defaults !== undefined) conversion.defaults(versioned);
  else if (conversion === undefined)
    definition.defaults?.(versioned as KubeObject); // Decoded as this kind.
  else if (definition.defaults !== undefined) {
    const hub = cloneJson(convertToHub(served, versioned)); // Conversions may share what they do not change.
    definition.defaults(hub);
    return convertFromHub(served, hub);
  }
  return versioned;
}
