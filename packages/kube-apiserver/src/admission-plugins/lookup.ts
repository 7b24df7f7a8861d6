import type { KubeObject } from "@binnacle/apimachinery";
import { type ApiServerCore, objectOf } from "@binnacle/apiserver";

/** The stored object of a built-in kind; undefined when there is none. Frozen. */
export function findObject<T extends KubeObject>(
  core: ApiServerCore,
  resource: { readonly group: string; readonly resource: string },
  name: string,
  namespace = "",
): T | undefined {
  const hub = core.registry.findHub(resource.group, resource.resource);
  if (hub === undefined) return undefined;
  const entry = core.storage.get(`${hub.keyPrefix}${namespace === "" ? "" : `${namespace}/`}${name}`);
  return entry === undefined ? undefined : objectOf<T>(entry);
}

/** All stored objects of a built-in kind, in a namespace or everywhere. Frozen. */
export function listObjects<T extends KubeObject>(
  core: ApiServerCore,
  resource: { readonly group: string; readonly resource: string },
  namespace = "",
): T[] {
  const hub = core.registry.findHub(resource.group, resource.resource);
  if (hub === undefined) return [];
  const prefix = `${hub.keyPrefix}${namespace === "" ? "" : `${namespace}/`}`;
  return core.storage.range({ prefix }).entries.map((entry) => objectOf<T>(entry));
}
