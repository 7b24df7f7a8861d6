import { type KubeObject, statusError, type UnstructuredObject } from "@binnacle/apimachinery";
import { jsonEquals, randomSuffix } from "@binnacle/base";
import type { HookContext } from "../registry/resource-hooks.ts";
import type { WriteContext } from "./write-context.ts";

/**
 * Sets what the server decides: uid, times, generated name, generation; and resets what a client may not set.
 *
 * Source: kubernetes v1.36 apiserver/pkg/registry/rest/{create,update,meta}.go.
 */
export function prepare(write: WriteContext): void {
  if (write.old === undefined) prepareForCreate(write);
  else prepareForUpdate(write, write.old.object);
}

/** Source: apiserver/pkg/storage/names/generate.go: suffixes of 5 after at most 58 characters. */
const SUFFIX_LENGTH = 5;
const MAX_GENERATED_LENGTH = 63 - SUFFIX_LENGTH;

function prepareForCreate(write: WriteContext): void {
  const { core, object, served } = write;
  const { strategy } = served.definition;
  const { metadata } = object;
  const nowMs = core.clock.now();
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  metadata.uid = core.random.uuid();
  metadata.creationTimestamp = toTime(nowMs);
  if ((metadata.name === undefined || metadata.name === "") && (metadata.generateName ?? "") !== "") {
    // The name may appear elsewhere in the object, so defaults run again once it is known.
    metadata.name =
      (metadata.generateName ?? "").slice(0, MAX_GENERATED_LENGTH) + randomSuffix(core.random, SUFFIX_LENGTH);
    served.definition.defaults?.(object as KubeObject);
  }
  write.name = metadata.name ?? "";
  delete metadata.generation;
  // Strategies are typed by their kind; the registry pairs each with objects decoded by the same definition.
  strategy.prepareForCreate?.(object as KubeObject, { nowMs, user: write.request.user });
  if (strategy.hasGeneration === true) metadata.generation = 1;
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== "") {
    throw statusError(500, "", "resourceVersion should not be set on objects to be created");
  }
  delete metadata.resourceVersion;
  write.undo = served.hooks.beginCreate?.(hookContext(write), object);
}

function prepareForUpdate(write: WriteContext, old: UnstructuredObject): void {
  const { core, object, served, subresource } = write;
  const { definition } = served;
  const { metadata } = object;
  const nowMs = core.clock.now();
  const context = { nowMs, user: write.request.user };
  const oldMetadata = old.metadata;
  keep(metadata, oldMetadata, "generation");
  delete metadata.selfLink;
  // Without a version an update is meant for whatever is stored.
  if ((metadata.resourceVersion ?? "") === "") keep(metadata, oldMetadata, "resourceVersion");
  if ((metadata.uid ?? "") === "") keep(metadata, oldMetadata, "uid");
  // Another one is ignored, not refused. Source: kubernetes v1.36 apiserver/pkg/registry/rest/update.go, BeforeUpdate.
  if (oldMetadata.creationTimestamp !== undefined) keep(metadata, oldMetadata, "creationTimestamp");
  if (oldMetadata.deletionTimestamp !== undefined) keep(metadata, oldMetadata, "deletionTimestamp");
  if (
    oldMetadata.deletionGracePeriodSeconds !== undefined &&
    metadata.deletionGracePeriodSeconds === undefined
  ) {
    keep(metadata, oldMetadata, "deletionGracePeriodSeconds");
  }
  if (subresource === "status") {
    resetAllButStatus(object, old);
    definition.status?.prepareForUpdate?.(object as KubeObject, old as KubeObject, context);
    return;
  }
  if (subresource === "") {
    if (definition.status !== undefined) resetStatus(object, old);
    definition.strategy.prepareForUpdate?.(object as KubeObject, old as KubeObject, context);
  }
  if (definition.strategy.hasGeneration === true && hasChangedBeyondMetadata(object, old)) {
    metadata.generation = (oldMetadata.generation ?? 0) + 1;
  }
  if (subresource === "") write.undo = served.hooks.beginUpdate?.(hookContext(write), object, old);
}

function hookContext(write: WriteContext): HookContext {
  return { core: write.core, request: write.request, served: write.served, isDryRun: write.options.isDryRun };
}

type Metadata = UnstructuredObject["metadata"];

function keep<K extends keyof Metadata>(metadata: Metadata, old: Metadata, field: K): void {
  const value = old[field];
  if (value === undefined) delete metadata[field];
  else metadata[field] = value;
}

function resetStatus(object: UnstructuredObject, old: UnstructuredObject): void {
  if (old["status"] === undefined) delete object["status"];
  else object["status"] = old["status"];
}

function resetAllButStatus(object: UnstructuredObject, old: UnstructuredObject): void {
  for (const field of Object.keys(object)) {
    if (field !== "metadata" && field !== "status" && !Object.hasOwn(old, field)) delete object[field];
  }
  for (const field of Object.keys(old)) {
    if (field !== "metadata" && field !== "status") object[field] = old[field];
  }
}

function hasChangedBeyondMetadata(object: UnstructuredObject, old: UnstructuredObject): boolean {
  const fields = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const field of fields) {
    if (field === "metadata" || field === "status" || field === "kind" || field === "apiVersion") continue;
    if (!jsonEquals(object[field], old[field])) return true;
  }
  return false;
}

/** RFC 3339 in whole seconds, as metav1.Time is written. */
export function toTime(ms: number): string {
  const second = Math.floor(ms / 1_000);
  // Many objects are written within a second, and each needs the text more than once.
  if (second !== lastTime.second) lastTime = { second, text: `${new Date(ms).toISOString().slice(0, 19)}Z` };
  return lastTime.text;
}

let lastTime = { second: Number.NaN, text: "" };
