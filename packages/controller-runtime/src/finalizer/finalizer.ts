import type { KubeObject, ResourceType } from "@binnacle/apimachinery";
import { type Client, mergePatch } from "@binnacle/client";

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** Whether the object waits for its finalizers before it goes. */
export function isTerminating(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && object.metadata.deletionTimestamp !== null;
}

/** Adds the finalizer unless it is there; gives the object as stored. Only on this version of the object (409). */
export async function addFinalizer<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
): Promise<T> {
  if (hasFinalizer(object, finalizer)) return object;
  return setFinalizers(client, type, object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** Takes the finalizer off if it is there; gives the object as stored. Only on this version of the object (409). */
export async function removeFinalizer<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
): Promise<T> {
  if (!hasFinalizer(object, finalizer)) return object;
  const rest = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  return setFinalizers(client, type, object, rest);
}

/** What a reconciler does about its finalizer. */
export type FinalizerOutcome<T> =
  /** The object lives and has the finalizer. */
  | { readonly state: "alive"; readonly object: T }
  /** The object is going, and the clean-up is done or was never this finalizer's. */
  | { readonly state: "finalized" };

/**
 * Keeps a finalizer on a living object, and on a dying one runs `cleanUp` before taking it off. Throw in `cleanUp` to
 * have it tried again.
 */
export async function finalize<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
  cleanUp: (object: T) => Promise<void>,
): Promise<FinalizerOutcome<T>> {
  if (!isTerminating(object))
    return { state: "alive", object: await addFinalizer(client, type, object, finalizer) };
  if (hasFinalizer(object, finalizer)) {
    await cleanUp(object);
    await removeFinalizer(client, type, object, finalizer);
  }
  return { state: "finalized" };
}

function setFinalizers<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizers: readonly string[],
): Promise<T> {
  const { uid, resourceVersion } = object.metadata;
  // A list is replaced as a whole: the version guards what others have added meanwhile.
  return client.patch(type, object, mergePatch({ metadata: { uid, resourceVersion, finalizers } }));
}
