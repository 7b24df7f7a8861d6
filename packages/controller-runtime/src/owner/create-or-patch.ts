import type { KubeObject, ResourceType } from "@binnacle/apimachinery";
import { cloneJson, jsonEquals, setOwn } from "@binnacle/base";
import { type Client, mergePatch, type ObjectKey, type WriteOptions } from "@binnacle/client";

export interface CreateOrPatchResult<T> {
  readonly operation: "created" | "patched" | "unchanged";
  readonly object: T;
}

/**
 * Makes an object be as `mutate` leaves it: creates it when it is not there, sends the difference when it differs.
 * `mutate` gets a private copy (with only its key when the object is new) and changes it.
 */
export async function createOrPatch<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: ObjectKey,
  mutate: (object: T) => void,
  options?: WriteOptions,
): Promise<CreateOrPatchResult<T>> {
  const present = await client.find(type, key);
  const object = present === undefined ? ({ metadata: { ...key } } as T) : cloneJson(present); // Filled by mutate.
  mutate(object);
  if (present === undefined)
    return { operation: "created", object: await client.create(type, object, options) };
  const difference = mergePatchBetween(present, object);
  if (difference === undefined) return { operation: "unchanged", object: present };
  const patched = await client.patch(type, key, mergePatch(difference), options);
  return { operation: "patched", object: patched };
}

/** The merge patch (RFC 7386) that turns one value into another; undefined when they are equal. Lists are replaced. */
export function mergePatchBetween(old: unknown, updated: unknown): unknown {
  if (jsonEquals(old, updated)) return undefined;
  if (!isObject(old) || !isObject(updated)) return updated;
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(old), ...Object.keys(updated)])) {
    const before = Object.hasOwn(old, key) ? old[key] : undefined;
    const after = Object.hasOwn(updated, key) ? updated[key] : undefined;
    if (after === undefined) {
      if (before !== undefined) setOwn(patch, key, null);
      continue;
    }
    const difference = mergePatchBetween(before, after);
    if (difference !== undefined) setOwn(patch, key, difference);
  }
  return patch;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
