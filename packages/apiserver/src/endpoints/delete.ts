import {
  conflict,
  type FieldError,
  invalid,
  invalidObject,
  type KubeObject,
  notFound,
  notSupported,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import { cloneJson } from "@binnacle/base";
import type { Entry } from "@binnacle/storage";
import { validate as runValidatingAdmission } from "../admission/admission.ts";
import type { Representation } from "../negotiation/accept.ts";
import { withTypeFirst } from "../negotiation/encode.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import { convertFromHub, keyOf, type ServedResource } from "../registry/resource-registry.ts";
import { encodeForStore, objectOf } from "../registry/stored-object.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { addWarning } from "../request/request-context.ts";
import { commitWrites } from "../write-path/commit.ts";
import { toTime } from "../write-path/prepare.ts";
import { readDeleteOptions } from "./delete-options.ts";
import { negotiateFor, respondTransformed, respondWith, respondWithValue } from "./get.ts";

/** Source: kubernetes v1.36 apimachinery/pkg/apis/meta/v1/types.go, DeleteOptions. */
export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly propagationPolicy: "" | "Orphan" | "Background" | "Foreground";
  readonly orphanDependents: boolean | undefined;
  readonly isDryRun: boolean;
}

/** DELETE of one object. */
export async function deleteOne(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
): Promise<ApiResponse> {
  const representation = negotiateFor(request, false);
  const options = await readDeleteOptions(core, request);
  const { propagationPolicy, orphanDependents } = options;
  const asked =
    propagationPolicy !== "" ? propagationPolicy : orphanDependents === undefined ? undefined : "Orphan";
  for (const text of served.definition.strategy.warningsOnDelete?.(asked) ?? []) addWarning(request, text);
  await core.storage.refresh();
  const { namespace, name } = request.info;
  const result = await deleteObject(core, request, served, { namespace, name, options });
  return respondToDelete(core, request, served, result, representation);
}

/** What became of an object that was to be deleted. */
export interface DeleteResult {
  /** False while finalizers or a grace period keep the object. */
  readonly isGone: boolean;
  readonly entry: Entry | undefined;
  /** The object as it is now, or was last. */
  readonly object: UnstructuredObject;
}

/**
 * Deletes an object, or marks it and lets finalizers and the kubelet do the rest.
 *
 * Source: kubernetes v1.36 apiserver/pkg/registry/generic/registry/store.go, Delete.
 */
export async function deleteObject(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  target: { namespace: string; name: string; options: DeleteOptions },
): Promise<DeleteResult> {
  const { namespace, name, options } = target;
  const key = keyOf(served, namespace, name);
  let isAdmitted = false;
  for (;;) {
    request.signal.throwIfAborted();
    const entry = core.storage.get(key);
    if (entry === undefined) throw notFound(served, name);
    const old = objectOf(entry);
    checkDeletePreconditions(served, old, options);
    if (!isAdmitted) await admitDelete(core, request, served, { namespace, name, old, options });
    isAdmitted = true;
    const marked = mark(core, served, old, options);
    if (marked?.isUnchanged === true) return { isGone: false, entry, object: old };
    const last = withTypeFirst(
      marked?.object ?? lastWords(core, served, old),
      old.kind ?? "",
      old.apiVersion ?? "",
    );
    if (options.isDryRun) return { isGone: marked === undefined, entry: undefined, object: last };
    const result = await commitWrites(core, [
      {
        key,
        kind: marked === undefined ? "delete" : "put",
        expectedRevision: entry.modRevision,
        encode: (revision) => encodeForStore(last, revision),
      },
    ]);
    if (!result.ok) continue; // Written in between: look again.
    if (marked?.endsNow === true) continue; // Watchers see the end of the grace period, then the end.
    if (marked === undefined) served.hooks.afterDelete?.(core, last);
    return { isGone: marked === undefined, entry: result.entries[0], object: last };
  }
}

/** The object to store instead of removing it; undefined when nothing holds up its removal. */
function mark(
  core: ApiServerCore,
  served: ServedResource,
  old: UnstructuredObject,
  options: DeleteOptions,
): { object: UnstructuredObject; isUnchanged: boolean; endsNow: boolean } | undefined {
  const { strategy } = served.definition;
  const graceSeconds = strategy.gracePeriodSeconds?.(old as KubeObject, options.gracePeriodSeconds);
  const finalizers = finalizersFor(served, old, options);
  const isWaiting = old.metadata.deletionTimestamp !== undefined;
  const special = isWaiting ? undefined : served.hooks.markForDeletion?.(old, core.clock.now());
  const left = old.metadata.deletionGracePeriodSeconds ?? 0;
  const isShortened = isWaiting && graceSeconds !== undefined && graceSeconds < left;
  const isHeld = finalizers.length > 0 || (graceSeconds ?? 0) > 0 || special !== undefined || isShortened;
  const isFinalized = served.hooks.isFinalized?.(old) ?? true;
  if (!isHeld && isFinalized) return undefined;

  const object = cloneJson(special ?? old);
  const { metadata } = object;
  if (finalizers.length > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;
  if (!isWaiting && special !== undefined) metadata.deletionTimestamp = toTime(core.clock.now());
  else if (!isWaiting) {
    markDeleted(core, object, graceSeconds ?? 0);
  } else if (isShortened) {
    // A shorter grace period takes effect, a longer one does not.
    const requestedAt = Date.parse(old.metadata.deletionTimestamp ?? "") - 1_000 * left;
    metadata.deletionGracePeriodSeconds = graceSeconds;
    metadata.deletionTimestamp = toTime(requestedAt + 1_000 * graceSeconds);
  }
  const isUnchanged =
    isWaiting &&
    sameList(finalizers, old.metadata.finalizers ?? []) &&
    metadata.deletionGracePeriodSeconds === old.metadata.deletionGracePeriodSeconds;
  return { object, isUnchanged, endsNow: isShortened && graceSeconds === 0 && finalizers.length === 0 };
}

function markDeleted(core: ApiServerCore, object: UnstructuredObject, graceSeconds: number): void {
  const { metadata } = object;
  metadata.deletionTimestamp = toTime(core.clock.now() + 1_000 * graceSeconds);
  metadata.deletionGracePeriodSeconds = graceSeconds;
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
}

/** What watchers and the answer show of an object that is removed at once. */
function lastWords(core: ApiServerCore, served: ServedResource, old: UnstructuredObject): UnstructuredObject {
  const object = { ...old, metadata: { ...old.metadata } };
  const hasGrace = served.definition.strategy.gracePeriodSeconds !== undefined;
  if (!hasGrace) return object;
  if (object.metadata.deletionTimestamp === undefined) markDeleted(core, object, 0);
  else object.metadata.deletionGracePeriodSeconds = 0;
  return object;
}

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/** Finalizers after the wish about dependents is taken in. Source: store.go, deletionFinalizersForGarbageCollection. */
function finalizersFor(
  served: ServedResource,
  old: UnstructuredObject,
  options: DeleteOptions,
): readonly string[] {
  const current = old.metadata.finalizers ?? [];
  const wish = propagationOf(served, current, options);
  const rest = current.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (wish === "orphan") return [...rest, ORPHAN];
  if (wish === "foreground") return [...rest, FOREGROUND];
  return rest;
}

function propagationOf(
  served: ServedResource,
  current: readonly string[],
  options: DeleteOptions,
): "orphan" | "foreground" | "background" {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? "orphan" : "background";
  switch (options.propagationPolicy) {
    case "Orphan":
      return "orphan";
    case "Foreground":
      return "foreground";
    case "Background":
      return "background";
    case "":
      if (current.includes(ORPHAN)) return "orphan";
      if (current.includes(FOREGROUND)) return "foreground";
      return served.definition.strategy.defaultPropagation === "orphan" ? "orphan" : "background";
  }
}

function checkDeletePreconditions(
  served: ServedResource,
  old: UnstructuredObject,
  options: DeleteOptions,
): void {
  const { uid, resourceVersion } = options;
  const { name = "" } = old.metadata;
  const qualified = { group: served.definition.group, resource: served.kind };
  if (uid !== undefined && uid !== old.metadata.uid) {
    throw conflict(
      qualified,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${old.metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(
      qualified,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${old.metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

function admitDelete(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  target: { namespace: string; name: string; old: UnstructuredObject; options: DeleteOptions },
): Promise<void> {
  return runValidatingAdmission(core, {
    operation: "DELETE",
    served,
    subresource: "",
    namespace: served.namespaced ? target.namespace : "",
    name: target.name,
    object: undefined,
    oldObject: target.old,
    user: request.user,
    isDryRun: target.options.isDryRun,
    options: {},
    addWarning: (text) => addWarning(request, text),
  });
}

function respondToDelete(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  result: DeleteResult,
  representation: Representation,
): ApiResponse {
  if (result.isGone && served.definition.strategy.returnsDeletedObject !== true) {
    const details: Record<string, string> = { name: result.object.metadata.name ?? "" };
    if (served.group !== "") details["group"] = served.group;
    details["kind"] = served.resource;
    if (result.object.metadata.uid !== undefined) details["uid"] = result.object.metadata.uid;
    return respondWithValue(core, request, 200, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details,
    });
  }
  // Still there: a graceful deletion or finalizers. Upstream answers 200 in both cases.
  if (result.entry !== undefined) {
    return respondWith(core, request, served, result.entry, { status: 200, representation });
  }
  const object = convertFromHub(served, result.object);
  return respondTransformed(
    core,
    request,
    served,
    { hub: result.object, object },
    { status: 200, representation },
  );
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Checks that options of a deletion go together. Source: apimachinery validation.ValidateDeleteOptions. */
export function validateDeleteOptions(options: {
  readonly propagationPolicy: string;
  readonly orphanDependents: boolean | undefined;
  readonly dryRun: readonly string[];
}): void {
  const errors: FieldError[] = [];
  const { propagationPolicy, orphanDependents, dryRun } = options;
  if (orphanDependents !== undefined && propagationPolicy !== "") {
    errors.push(
      invalid(
        "propagationPolicy",
        propagationPolicy,
        "orphanDependents and deletionPropagation cannot be both set",
      ),
    );
  }
  if (!["", "Foreground", "Background", "Orphan"].includes(propagationPolicy)) {
    errors.push(
      notSupported("propagationPolicy", propagationPolicy, ["Background", "Foreground", "Orphan", "nil"]),
    );
  }
  if (dryRun.some((value) => value !== "All")) errors.push(notSupported("dryRun", dryRun, ["All"]));
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
}
