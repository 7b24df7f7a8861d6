import type { KubeObject, UnstructuredObject } from "@binnacle/apimachinery";
import type { ServedResource } from "../registry/resource-registry.ts";

/** Fills what the user left out, by the rules of the version the object is in. Mutates; idempotent. */
export function setDefaults(served: ServedResource, versioned: UnstructuredObject): void {
  if (served.conversion?.defaults !== undefined) served.conversion.defaults(versioned);
  else if (served.conversion === undefined) served.definition.defaults?.(versioned as KubeObject); // Decoded as this kind.
}
