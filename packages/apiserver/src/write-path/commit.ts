import { statusError, type UnstructuredObject } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { type CommitOutcome, StoreUnavailableError, type Write } from "@binnacle/storage";
import { accompany } from "../admission/admission.ts";
import { withTypeFirst } from "../negotiation/encode.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import { keyOf } from "../registry/resource-registry.ts";
import { encodeForStore } from "../registry/stored-object.ts";
import { admissionAttributes, type WriteContext } from "./write-context.ts";
import type { WriteOutcome } from "./write-path.ts";

/** Source: etcd's --max-request-bytes, 1.5 MiB: what an object may take at most. */
const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;

/** Stores the object, or removes it when this write took away what held up its deletion. */
export async function commit(write: WriteContext): Promise<WriteOutcome> {
  const { core, served, old } = write;
  const object = withTypeFirst(write.object, served.definition.kind, hubApiVersion(write));
  write.object = object;
  const isRemoval = old !== undefined && isFinished(write, old.object);
  let companions = isRemoval ? [] : accompany(core, admissionAttributes(write));
  if (write.options.isDryRun) return { kind: "dryRun" };
  if (old !== undefined && !isRemoval && isUnchanged(object, old.object))
    return { kind: "stored", entry: old.entry };
  const key = keyOf(served, write.namespace, write.name);
  const own: Write = {
    key,
    kind: isRemoval ? "delete" : "put",
    expectedRevision: old?.entry.modRevision ?? 0,
    // Watchers see a removed object as it was stored last; who removed it sees what it asked for.
    encode: (revision) =>
      encodeChecked(isRemoval && old !== undefined ? lastStored(old.object) : object, revision),
  };
  // The object comes first, so that nobody sees what accompanies it without being able to see the object.
  let result = await commitWrites(core, [own, ...companions]);
  while (!result.ok && result.key !== key) {
    companions = accompany(core, admissionAttributes(write));
    result = await commitWrites(core, [own, ...companions]);
  }
  if (!result.ok) return { kind: "conflict", current: result.current };
  const entry = result.entries[0]!; // The object is the first write.
  if (isRemoval) served.hooks.afterDelete?.(core, object);
  return { kind: isRemoval ? "deleted" : "stored", entry };
}

function lastStored(old: UnstructuredObject): UnstructuredObject {
  return { ...old, metadata: { ...old.metadata } };
}

/** Commits, with a store that refuses writes answered as 500. */
export async function commitWrites(core: ApiServerCore, writes: readonly Write[]): Promise<CommitOutcome> {
  try {
    return await core.storage.commit(writes);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw statusError(500, "InternalError", `Internal error occurred: ${error.message}`, undefined, {
      cause: error,
    });
  }
}

function encodeChecked(object: UnstructuredObject, revision: number): ReturnType<typeof encodeForStore> {
  const encoded = encodeForStore(object, revision);
  if (encoded.value.length > MAX_OBJECT_BYTES) throw statusError(500, "", "etcdserver: request is too large");
  return encoded;
}

/** Whether the object was marked for deletion and nothing holds it up any longer. */
function isFinished(write: WriteContext, old: UnstructuredObject): boolean {
  const { metadata } = write.object;
  if (metadata.deletionTimestamp === undefined) return false;
  if ((metadata.deletionGracePeriodSeconds ?? 0) > 0 && (old.metadata.deletionGracePeriodSeconds ?? 0) > 0)
    return false;
  if ((metadata.finalizers ?? []).length > 0) return false;
  return write.served.hooks.isFinalized?.(write.object) ?? true;
}

/** A write that changes nothing stores nothing: the version stays, and no watcher is woken. */
function isUnchanged(object: UnstructuredObject, old: UnstructuredObject): boolean {
  const { resourceVersion: _new, ...metadata } = object.metadata;
  const { resourceVersion: _old, ...oldMetadata } = old.metadata;
  return jsonEquals({ ...object, metadata }, { ...old, metadata: oldMetadata });
}

function hubApiVersion(write: WriteContext): string {
  const { group, version } = write.served.definition;
  return group === "" ? version : `${group}/${version}`;
}
