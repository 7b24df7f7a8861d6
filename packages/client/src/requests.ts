/**
 * Requests as plain values: what each verb sends, tested without a server. Nothing here sends anything.
 */
import {
  type FieldMatcher,
  formatApiVersion,
  formatFieldSelector,
  formatLabelSelector,
  type KubeObject,
  type LabelMatcher,
  type ResourceType,
} from "@binnacle/apimachinery";
import { BugError } from "@binnacle/base";
import type { ClientRequest } from "./transport/transport.ts";

/** Which object: its name, and its namespace when the resource has namespaces. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** An object by its key, or the object itself. */
export type ObjectRef = ObjectKey | KubeObject;

/** What ends a call early. Every call takes it. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface GetOptions extends CallOptions {
  /** `0`: any version will do. Default: the newest. */
  readonly resourceVersion?: string;
}

/** Which objects of a resource. */
export interface SelectOptions extends CallOptions {
  /** Default: the client's namespace, or all namespaces when it has none. */
  readonly namespace?: string;
  readonly labelSelector?: string | LabelMatcher;
  readonly fieldSelector?: string | FieldMatcher;
}

export interface ListOptions extends SelectOptions {
  /** At most so many objects in one answer; `metadata.continue` tells whether there are more. */
  readonly limit?: number;
  /** From the answer before: goes on where it ended. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

export interface WatchOptions extends SelectOptions {
  /** Events after this version; absent or `0`: the present objects first, as ADDED. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "NotOlderThan";
  /** BOOKMARK events tell how far the watch has come. Default false. */
  readonly allowWatchBookmarks?: boolean;
  /** The present objects as ADDED, then a BOOKMARK with `k8s.io/initial-events-end`. Default false. */
  readonly sendInitialEvents?: boolean;
  /** The server ends the watch after so many seconds. */
  readonly timeoutSeconds?: number;
}

export interface WriteOptions extends CallOptions {
  /** Everything but storing it. Default false. */
  readonly dryRun?: boolean;
  /** Who owns the fields that are written. Default: the client's. */
  readonly fieldManager?: string;
  /** What happens to unknown and duplicate fields. Default: the server's (Warn). */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
}

export interface PatchOptions extends WriteOptions {
  /** Such as `status` or `scale`. Default: the object itself. */
  readonly subresource?: string;
}

export interface ApplyOptions extends PatchOptions {
  /** Takes fields that others own. Default false: a conflict is 409. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  /** Only this very object; given an object instead of a key, its uid is the default. */
  readonly uid?: string;
  /** Only if it has not changed since. */
  readonly resourceVersion?: string;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

/** A change to an object, with the media type that says how it reads. */
export interface Patch {
  readonly contentType: string;
  readonly body: unknown;
}

/** One operation of RFC 6902. */
export interface JsonPatchOperation {
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** RFC 6902: a list of operations. */
export function jsonPatch(operations: readonly JsonPatchOperation[]): Patch {
  return { contentType: "application/json-patch+json", body: operations };
}

/** RFC 7386: properties replace, null removes. */
export function mergePatch(body: unknown): Patch {
  return { contentType: "application/merge-patch+json", body };
}

/** Kubernetes' own: lists merge by key as the kind says. Built-in kinds only. */
export function strategicPatch(body: unknown): Patch {
  return { contentType: "application/strategic-merge-patch+json", body };
}

/** The key of an object, or the key itself. */
export function keyOf(ref: ObjectRef): ObjectKey {
  if (!("metadata" in ref)) return ref;
  const { name, namespace } = ref.metadata;
  if (name === undefined) throw new BugError("an object without a name has no key");
  return namespace === undefined ? { name } : { namespace, name };
}

/** Where a resource, one object of it or a subresource lives. Parts are escaped. */
export function resourcePath(
  type: ResourceType,
  place: { namespace?: string | undefined; name?: string; subresource?: string } = {},
): string {
  const root = type.group === "" ? `/api/${type.version}` : `/apis/${formatApiVersion(type)}`;
  const parts = [root];
  if (type.namespaced && place.namespace !== undefined && place.namespace !== "")
    parts.push("namespaces", encodeURIComponent(place.namespace));
  parts.push(type.resource);
  if (place.name !== undefined) parts.push(encodeURIComponent(place.name));
  if (place.subresource !== undefined) parts.push(place.subresource);
  return parts.join("/");
}

/** The path of one object. A resource with namespaces needs one. */
function objectPath(type: ResourceType, ref: ObjectRef, subresource?: string): string {
  const { namespace, name } = keyOf(ref);
  if (type.namespaced && (namespace === undefined || namespace === ""))
    throw new BugError(`a namespace is needed to name ${type.resource} "${name}"`);
  if (name === "") throw new BugError(`a name is needed to address one of ${type.resource}`);
  return resourcePath(type, { namespace, name, ...(subresource === undefined ? {} : { subresource }) });
}

export function getRequest(
  type: ResourceType,
  ref: ObjectRef,
  options: GetOptions & { subresource?: string } = {},
): ClientRequest {
  return {
    method: "GET",
    path: objectPath(type, ref, options.subresource),
    query: { resourceVersion: options.resourceVersion },
    ...signalOf(options),
  };
}

export function listRequest(type: ResourceType, options: ListOptions = {}): ClientRequest {
  return {
    method: "GET",
    path: resourcePath(type, { namespace: options.namespace }),
    query: {
      ...selectorQuery(options),
      limit: options.limit,
      continue: options.continue,
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
    },
    ...signalOf(options),
  };
}

export function watchRequest(type: ResourceType, options: WatchOptions = {}): ClientRequest {
  return {
    method: "GET",
    path: resourcePath(type, { namespace: options.namespace }),
    query: {
      watch: true,
      ...selectorQuery(options),
      resourceVersion: options.resourceVersion,
      resourceVersionMatch:
        options.resourceVersionMatch ?? (options.sendInitialEvents === true ? "NotOlderThan" : undefined),
      allowWatchBookmarks: options.allowWatchBookmarks,
      sendInitialEvents: options.sendInitialEvents,
      timeoutSeconds: options.timeoutSeconds,
    },
    ...signalOf(options),
  };
}

export function createRequest(
  type: ResourceType,
  object: KubeObject,
  options: WriteOptions = {},
): ClientRequest {
  return {
    method: "POST",
    path: resourcePath(type, { namespace: namespaceToWrite(type, object) }),
    query: writeQuery(options),
    body: withTypeMeta(type, object),
    ...signalOf(options),
  };
}

export function updateRequest(
  type: ResourceType,
  object: KubeObject,
  options: PatchOptions = {},
): ClientRequest {
  return {
    method: "PUT",
    path: objectPath(type, object, options.subresource),
    query: writeQuery(options),
    body: withTypeMeta(type, object),
    ...signalOf(options),
  };
}

export function patchRequest(
  type: ResourceType,
  ref: ObjectRef,
  patch: Patch,
  options: PatchOptions = {},
): ClientRequest {
  return {
    method: "PATCH",
    path: objectPath(type, ref, options.subresource),
    query: writeQuery(options),
    contentType: patch.contentType,
    body: patch.body,
    ...signalOf(options),
  };
}

/** Server-side apply: the object's fields become the manager's. */
export function applyRequest(
  type: ResourceType,
  object: KubeObject,
  options: ApplyOptions & { fieldManager: string },
): ClientRequest {
  return {
    method: "PATCH",
    path: objectPath(type, object, options.subresource),
    query: { ...writeQuery(options), force: options.force },
    // JSON is YAML.
    contentType: "application/apply-patch+yaml",
    body: withTypeMeta(type, object),
    ...signalOf(options),
  };
}

export function deleteRequest(
  type: ResourceType,
  ref: ObjectRef,
  options: DeleteOptions = {},
): ClientRequest {
  const uid = options.uid ?? ("metadata" in ref ? ref.metadata.uid : undefined);
  return {
    method: "DELETE",
    path: objectPath(type, ref),
    body: deleteOptionsBody(options, uid),
    ...signalOf(options),
  };
}

export function deleteCollectionRequest(
  type: ResourceType,
  options: SelectOptions & Omit<DeleteOptions, "uid" | "resourceVersion"> = {},
): ClientRequest {
  return {
    method: "DELETE",
    path: resourcePath(type, { namespace: options.namespace }),
    query: selectorQuery(options),
    body: deleteOptionsBody(options, undefined),
    ...signalOf(options),
  };
}

/** POST to a subresource, such as `eviction`, `binding` or `token`. */
export function createSubresourceRequest(
  type: ResourceType,
  ref: ObjectRef,
  subresource: string,
  body: unknown,
  options: WriteOptions = {},
): ClientRequest {
  return {
    method: "POST",
    path: objectPath(type, ref, subresource),
    query: writeQuery(options),
    body,
    ...signalOf(options),
  };
}

/** PUT to a subresource whose body is of another kind, such as `scale`. */
export function updateSubresourceRequest(
  type: ResourceType,
  ref: ObjectRef,
  subresource: string,
  body: unknown,
  options: WriteOptions = {},
): ClientRequest {
  return {
    method: "PUT",
    path: objectPath(type, ref, subresource),
    query: writeQuery(options),
    body,
    ...signalOf(options),
  };
}

/** The body says what it is: servers refuse one that does not. The object itself is left alone. */
function withTypeMeta(type: ResourceType, object: KubeObject): KubeObject {
  const apiVersion = formatApiVersion(type);
  if (object.apiVersion === apiVersion && object.kind === type.kind) return object;
  return { ...object, apiVersion, kind: type.kind };
}

function namespaceToWrite(type: ResourceType, object: KubeObject): string | undefined {
  if (!type.namespaced) return undefined;
  const { namespace, name, generateName } = object.metadata;
  if (namespace !== undefined && namespace !== "") return namespace;
  throw new BugError(`a namespace is needed to create ${type.resource} "${name ?? generateName ?? ""}"`);
}

function selectorQuery(options: SelectOptions): NonNullable<ClientRequest["query"]> {
  const { labelSelector, fieldSelector } = options;
  const labels = typeof labelSelector === "object" ? formatLabelSelector(labelSelector) : labelSelector;
  const fields = typeof fieldSelector === "object" ? formatFieldSelector(fieldSelector) : fieldSelector;
  return {
    labelSelector: labels === "" ? undefined : labels,
    fieldSelector: fields === "" ? undefined : fields,
  };
}

function writeQuery(options: WriteOptions): NonNullable<ClientRequest["query"]> {
  return {
    dryRun: options.dryRun === true ? "All" : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  };
}

function deleteOptionsBody(options: DeleteOptions, uid: string | undefined): unknown {
  const preconditions: { uid?: string; resourceVersion?: string } = {};
  if (uid !== undefined) preconditions.uid = uid;
  if (options.resourceVersion !== undefined) preconditions.resourceVersion = options.resourceVersion;
  return {
    kind: "DeleteOptions",
    apiVersion: "v1",
    ...(options.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(options.propagationPolicy === undefined ? {} : { propagationPolicy: options.propagationPolicy }),
    ...(options.dryRun === true ? { dryRun: ["All"] } : {}),
  };
}

function signalOf(options: CallOptions): { signal?: AbortSignal } {
  return options.signal === undefined ? {} : { signal: options.signal };
}
