import { type KubeObject, parseApiVersion, type ResourceType } from "@binnacle/apimachinery";
import { keyOf, type ObjectKey } from "@binnacle/client";
import type { Cache } from "../cache/cache.ts";
import type { ObjectEvent } from "../cache/informer.ts";

/** Says which objects a change concerns. The change itself is not passed on. */
export type EventHandler<T extends KubeObject = KubeObject> = (
  event: ObjectEvent<T>,
  context: { readonly cache: Cache },
) => Iterable<ObjectKey>;

/** The object that changed. */
export function enqueueObject<T extends KubeObject>(): EventHandler<T> {
  return ({ old, updated }) => {
    const object = updated ?? old;
    return object === undefined ? [] : [keyOf(object)];
  };
}

/**
 * The owners of the object that changed: those it had and those it has.
 *
 * `controllerOnly` (default true) leaves out owners that do not control it.
 */
export function enqueueOwner<T extends KubeObject>(
  ownerType: ResourceType,
  options: { readonly controllerOnly?: boolean } = {},
): EventHandler<T> {
  const controllerOnly = options.controllerOnly ?? true;
  return ({ old, updated }) => {
    const keys = new Map<string, ObjectKey>();
    for (const object of [old, updated]) {
      const namespace = ownerType.namespaced ? object?.metadata.namespace : undefined;
      for (const owner of object?.metadata.ownerReferences ?? []) {
        if (owner.kind !== ownerType.kind || (controllerOnly && owner.controller !== true)) continue;
        // Any version of the group: owners may be written in another one than is watched.
        if (parseApiVersion(owner.apiVersion)?.group !== ownerType.group) continue;
        keys.set(
          owner.name,
          namespace === undefined ? { name: owner.name } : { namespace, name: owner.name },
        );
      }
    }
    return keys.values();
  };
}

/** Whatever a function makes of the object, as it was and as it is. Each key once. */
export function enqueueMapped<T extends KubeObject>(
  map: (object: T, context: { readonly cache: Cache }) => Iterable<ObjectKey>,
): EventHandler<T> {
  return ({ old, updated }, context) => {
    const keys = new Map<string, ObjectKey>();
    for (const object of [old, updated]) {
      if (object === undefined) continue;
      for (const key of map(object, context)) keys.set(`${key.namespace ?? ""}/${key.name}`, key);
    }
    return keys.values();
  };
}
