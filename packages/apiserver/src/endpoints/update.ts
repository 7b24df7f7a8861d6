import {
  badRequest,
  conflict,
  invalid,
  invalidObject,
  notFound,
  OBJECT_MODIFIED,
  statusError,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import { cloneJson } from "@binnacle/base";
import type { Entry } from "@binnacle/storage";
import type { Representation } from "../negotiation/accept.ts";
import { objectIn } from "../negotiation/encode.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import { convertFromHub, convertToHub, keyOf, type ServedResource } from "../registry/resource-registry.ts";
import { objectOf } from "../registry/stored-object.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { decodeBody } from "../write-path/decode.ts";
import { trackUpdate } from "../write-path/managed-fields.ts";
import { toTime } from "../write-path/prepare.ts";
import { setDefaults } from "../write-path/set-defaults.ts";
import type { WriteContext } from "../write-path/write-context.ts";
import { parseWriteOptions, type WriteOptions } from "../write-path/write-options.ts";
import { runWritePath } from "../write-path/write-path.ts";
import { createDecoded, expectedKind, placeInNamespace } from "./create.ts";
import { negotiateFor, respondTransformed, respondWith } from "./get.ts";

/** PUT of an object or of its status. */
export async function update(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  subresource: "" | "status",
): Promise<ApiResponse> {
  const representation = negotiateFor(request, false);
  const options = parseWriteOptions(request, "UpdateOptions");
  const decoded = await decodeBody(core, request, expectedKind(served), options);
  const versioned = setDefaults(served, decoded);
  checkName(request, versioned);
  placeInNamespace(request, served, versioned);
  await core.storage.refresh();
  const existing = core.storage.get(keyOf(served, request.info.namespace, request.info.name));
  if (existing === undefined) {
    if (subresource !== "" || served.definition.strategy.allowCreateOnUpdate !== true) {
      throw notFound(served, request.info.name);
    }
    refuseUidOfNothing(served, request, versioned);
    delete versioned.metadata.resourceVersion;
    return createDecoded(core, request, served, versioned, { options, representation });
  }
  const hub = convertToHub(served, versioned);
  return updateStored(core, request, served, {
    subresource,
    options,
    representation,
    tries: Number.POSITIVE_INFINITY,
    candidate: (old) => {
      checkPreconditions(served, versioned, old);
      return ownedBy(core, served, subresource, options, cloneJson(hub), old);
    },
  });
}

/** How a candidate for an update comes about, and what is done with it. */
export interface UpdatePlan {
  readonly subresource: string;
  readonly options: WriteOptions;
  readonly representation: Representation;
  /** How often a write that lost a race is started over before it is answered with 409. */
  readonly tries: number;
  /** The new object in the stored version, private to the write. Throws to refuse. */
  readonly candidate: (old: Entry) => UnstructuredObject;
  /** Undefined: answers with the object itself. */
  readonly respond?: (entry: Entry | undefined, object: UnstructuredObject) => ApiResponse;
}

/** Takes candidates down the write path until one is stored. */
export async function updateStored(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  plan: UpdatePlan,
): Promise<ApiResponse> {
  const { namespace, name } = request.info;
  const key = keyOf(served, namespace, name);
  for (let tries = 1; ; tries++) {
    request.signal.throwIfAborted();
    const entry = core.storage.get(key);
    if (entry === undefined) throw notFound(served, name);
    const write: WriteContext = {
      core,
      request,
      served,
      options: plan.options,
      operation: "UPDATE",
      subresource: plan.subresource,
      namespace: served.namespaced ? namespace : "",
      name,
      object: plan.candidate(entry),
      old: { entry, object: objectOf(entry) },
      undo: undefined,
    };
    const outcome = await runWritePath(write);
    if (outcome.kind === "conflict") {
      if (tries >= plan.tries) throw conflict(served, name, OBJECT_MODIFIED);
      continue;
    }
    const stored = outcome.kind === "stored" ? outcome.entry : undefined;
    if (plan.respond !== undefined)
      return plan.respond(stored, stored === undefined ? write.object : objectOf(stored));
    if (stored !== undefined) {
      return respondWith(core, request, served, stored, { status: 200, representation: plan.representation });
    }
    return respondTransformed(
      core,
      request,
      served,
      { hub: write.object, object: convertFromHub(served, write.object) },
      { status: 200, representation: plan.representation },
    );
  }
}

/** Sets the field owners of an update, seen in the version of the request. */
export function ownedBy(
  core: ApiServerCore,
  served: ServedResource,
  subresource: string,
  options: WriteOptions,
  hub: UnstructuredObject,
  old: Entry,
): UnstructuredObject {
  const managedFields = trackUpdate({
    live: objectIn(served, old),
    updated: convertFromHub(served, hub),
    schema: served.schema,
    manager: options.fieldManager,
    apiVersion: served.apiVersion,
    subresource,
    time: toTime(core.clock.now()),
    resetFields: served.definition.strategy.resetFields,
  });
  if (managedFields.length === 0) delete hub.metadata.managedFields;
  else hub.metadata.managedFields = managedFields;
  return hub;
}

/**
 * The version and uid a PUT was made for must be what is stored.
 *
 * Source: kubernetes v1.36 apiserver/pkg/registry/generic/registry/store.go, Update.
 */
export function checkPreconditions(served: ServedResource, updated: UnstructuredObject, old: Entry): void {
  const { resourceVersion = "", uid = "", name = "" } = updated.metadata;
  const { strategy } = served.definition;
  const current = objectOf(old);
  if (uid !== "" && uid !== current.metadata.uid) {
    throw conflict(served, name, uidMismatch(old.key, uid, current.metadata.uid ?? ""));
  }
  if (resourceVersion === "" || resourceVersion === "0") {
    if (strategy.allowUnconditionalUpdate !== false) return;
    const error = invalid("metadata.resourceVersion", 0, "must be specified for an update");
    throw invalidObject(served.definition, name, [
      { ...error, body: error.body.replace("value: 0", "value: 0x0") },
    ]);
  }
  if (!/^[0-9]+$/.test(resourceVersion)) {
    throw statusError(
      500,
      "",
      `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`,
    );
  }
  if (Number(resourceVersion) !== old.modRevision) throw conflict(served, name, OBJECT_MODIFIED);
}

/** Why a write that names another uid is refused. Upstream's words name its own key. */
export function uidMismatch(key: string, given: string, stored: string): string {
  return `StorageError: invalid object, Code: 4, Key: ${upstreamKey(key)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${given}, UID in object meta: ${stored}`;
}

/** Upstream's keys leave the group out, except for custom resources. */
function upstreamKey(key: string): string {
  const [, root, , ...rest] = key.split("/");
  return `/${root}/${rest.join("/")}`;
}

function refuseUidOfNothing(
  served: ServedResource,
  request: RequestContext,
  versioned: UnstructuredObject,
): void {
  const { uid = "" } = versioned.metadata;
  if (uid === "") return;
  const key = keyOf(served, request.info.namespace, request.info.name);
  throw conflict(served, request.info.name, uidMismatch(key, uid, ""));
}

function checkName(request: RequestContext, object: UnstructuredObject): void {
  const { name } = request.info;
  const given = object.metadata.name ?? "";
  if (given === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
}
