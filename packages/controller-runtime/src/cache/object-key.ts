import type { KubeObject } from "@binnacle/apimachinery";
import { BugError } from "@binnacle/base";
import type { ObjectKey } from "@binnacle/client";

/** A key as text: `namespace/name`, or `name` for objects without a namespace. What work queues hold. */
export function formatKey(key: ObjectKey): string {
  return key.namespace === undefined || key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
}

/** The inverse of {@link formatKey}. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf("/");
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** The key of an object that has been stored, as text. */
export function textKeyOf(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  if (name === undefined) throw new BugError("an object from the server has no name");
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}
