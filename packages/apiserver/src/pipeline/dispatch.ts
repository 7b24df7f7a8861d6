import { notFound, type StatusError, statusError } from "@binnacle/apimachinery";
import { create } from "../endpoints/create.ts";
import { deleteOne } from "../endpoints/delete.ts";
import { deleteCollection } from "../endpoints/delete-collection.ts";
import { get } from "../endpoints/get.ts";
import { list } from "../endpoints/list.ts";
import { patch } from "../endpoints/patch.ts";
import { scale } from "../endpoints/scale.ts";
import { update } from "../endpoints/update.ts";
import { watch } from "../endpoints/watch.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { ServedResource } from "../registry/resource-registry.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { addWarning, type RequestContext } from "../request/request-context.ts";

/** Finds who answers a request: a path handler, an endpoint of a resource, or one of its subresources. */
export async function dispatch(core: ApiServerCore, request: RequestContext): Promise<ApiResponse> {
  const { info } = request;
  if (!info.isResourceRequest) return dispatchPath(core, request);
  const served = core.registry.find(info.group, info.version, info.resource);
  if (served === undefined || !fitsScope(served, request)) return dispatchUnknown(core, request);
  const deprecation = served.conversion?.deprecation ?? served.definition.deprecation;
  if (deprecation !== undefined) addWarning(request, deprecation);
  if (info.subresource !== "") return dispatchSubresource(core, request, served);
  checkMethod(request, served);
  switch (info.verb) {
    case "get":
      return get(core, request, served);
    case "list":
      return list(core, request, served);
    case "watch":
      return request.info.name !== "" && info.parts.length > 1 && !isWatchPath(request)
        ? watchOne(core, request, served)
        : watch(core, request, served);
    case "create":
      return create(core, request, served);
    case "update":
      return update(core, request, served, "");
    case "patch":
      return patch(core, request, served, "");
    case "delete":
      return deleteOne(core, request, served);
    case "deletecollection":
      return deleteCollection(core, request, served);
    default:
      throw methodNotAllowed();
  }
}

/** The answer to a method that a path does not take. */
export function methodNotAllowed(): StatusError {
  return statusError(
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
    {},
  );
}

/** The answer to a path below a served group that leads nowhere. */
export function routeNotFound(): StatusError {
  return statusError(404, "NotFound", "the server could not find the requested resource", {});
}

/** The answer to a path that nobody knows. */
export function pageNotFound(): ApiResponse {
  return {
    status: 404,
    headers: { "x-content-type-options": "nosniff" },
    content: {
      kind: "raw",
      contentType: "text/plain; charset=utf-8",
      bytes: Buffer.from("404 page not found\n"),
    },
  };
}

async function dispatchPath(core: ApiServerCore, request: RequestContext): Promise<ApiResponse> {
  const handler = core.paths.find(request.info.path);
  if (handler === undefined) return dispatchUnknown(core, request);
  return handler(core, request);
}

function dispatchUnknown(core: ApiServerCore, request: RequestContext): ApiResponse {
  const [root, group] = request.info.path.split("/").filter((part) => part !== "");
  if (root === "api") throw routeNotFound();
  if (root === "apis" && group !== undefined) {
    for (const served of core.registry.all()) if (served.group === group) throw routeNotFound();
  }
  return pageNotFound();
}

/** Named objects of a namespaced resource need a namespace, and cluster-wide ones must not have one. */
function fitsScope(served: ServedResource, request: RequestContext): boolean {
  const { namespace, name, parts, verb } = request.info;
  if (parts.length > 3 && served.hooks.subresources?.[parts[2]!]?.takesPath !== true) return false;
  if (parts.some((part) => part.includes("/"))) return false;
  if (!served.namespaced) return namespace === "" || served.resource === "namespaces";
  const isNamed = name !== "" && parts.length > 1;
  return namespace !== "" || !isNamed || verb === "watch";
}

const COLLECTION_METHODS: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);
const OBJECT_METHODS: ReadonlySet<string> = new Set(["GET", "PUT", "PATCH", "DELETE"]);

function checkMethod(request: RequestContext, served: ServedResource): void {
  const { info, method } = request;
  const isNamed = info.parts.length > 1;
  if (served.definition.virtual === true && isNamed && !served.verbs.includes("get")) throw routeNotFound();
  if (!(isNamed ? OBJECT_METHODS : COLLECTION_METHODS).has(method)) throw methodNotAllowed();
  if (!(served.verbs as readonly string[]).includes(info.verb)) throw methodNotAllowed();
  if (!served.namespaced || info.namespace !== "") return;
  if (info.verb === "create" && served.definition.virtual === true) return;
  if (info.verb === "create" || info.verb === "deletecollection") throw methodNotAllowed();
}

function dispatchSubresource(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
): Promise<ApiResponse> {
  const { subresource, verb } = request.info;
  const own = served.hooks.subresources?.[subresource];
  if (own !== undefined) {
    if (!own.verbs.includes(verb)) throw methodNotAllowed();
    return own.handle({ core, request, served });
  }
  if (request.info.parts.length > 3) throw routeNotFound();
  if (subresource === "status" && served.definition.status !== undefined) {
    if (verb === "get" && request.method === "GET") return get(core, request, served);
    if (verb === "update") return update(core, request, served, "status");
    if (verb === "patch") return patch(core, request, served, "status");
    throw methodNotAllowed();
  }
  if (subresource === "scale" && served.definition.scale !== undefined) {
    if (!["get", "update", "patch"].includes(verb) || request.method === "HEAD") throw methodNotAllowed();
    return scale(core, request, served, served.definition.scale);
  }
  throw routeNotFound();
}

/** `GET …/NAME?watch=1`: upstream treats it as a get first, so a missing object is 404. */
async function watchOne(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
): Promise<ApiResponse> {
  const { namespace, name } = request.info;
  const key = served.namespaced ? `${served.keyPrefix}${namespace}/${name}` : `${served.keyPrefix}${name}`;
  if (core.storage.get(key) === undefined) throw notFound(served, name);
  return watch(core, request, served);
}

function isWatchPath(request: RequestContext): boolean {
  return /^\/apis?\/([^/]+\/){1,2}watch\//.test(request.info.path);
}
