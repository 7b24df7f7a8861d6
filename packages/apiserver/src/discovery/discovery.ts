import { parseAccept } from "../negotiation/accept.ts";
import { methodNotAllowed, pageNotFound, routeNotFound } from "../pipeline/dispatch.ts";
import type { ApiServerCore, PathHandler } from "../registry/api-server-core.ts";
import { type ApiResponse, objectResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { apiGroup, type DiscoveryOrder, groupDiscoveryList, groupsInOrder } from "./groups.ts";
import { resourceList } from "./resource-list.ts";

/** What discovery must know beyond the registry. */
export interface DiscoveryOptions {
  readonly order: DiscoveryOrder;
  /** `host:port` that clients reach the server at. */
  readonly serverAddress: () => string;
}

/** Answers `/api`, `/apis` and everything below them that is not a resource. */
export function discoveryHandler(options: DiscoveryOptions): PathHandler {
  return (core, request) => {
    const [root, ...rest] = request.info.path.split("/").filter((part) => part !== "");
    if (root === "api" ? rest.length <= 1 : rest.length <= 2) {
      if (request.method !== "GET") throw methodNotAllowed();
    }
    return root === "api"
      ? answerCore(core, request, rest, options)
      : answerGroups(core, request, rest, options);
  };
}

function answerCore(
  core: ApiServerCore,
  request: RequestContext,
  rest: readonly string[],
  options: DiscoveryOptions,
): ApiResponse {
  const [version, ...more] = rest;
  if (version === undefined) {
    const groups = groupsInOrder(core.registry, options.order).filter(({ group }) => group === "");
    const aggregated = aggregatedAnswer(core, request, groups);
    if (aggregated !== undefined) return aggregated;
    return objectResponse(200, {
      kind: "APIVersions",
      versions: groups.flatMap(({ versions }) => versions),
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: options.serverAddress() }],
    });
  }
  if (more.length > 0 || !core.registry.hasGroupVersion("", version)) throw routeNotFound();
  return objectResponse(200, resourceList(core.registry, "", version));
}

function answerGroups(
  core: ApiServerCore,
  request: RequestContext,
  rest: readonly string[],
  options: DiscoveryOptions,
): ApiResponse {
  const [group, version] = rest;
  const groups = groupsInOrder(core.registry, options.order).filter((each) => each.group !== "");
  if (group === undefined) {
    const aggregated = aggregatedAnswer(core, request, groups);
    if (aggregated !== undefined) return aggregated;
    const list = groups.map((each) => apiGroup(each.group, each.versions));
    return objectResponse(200, { kind: "APIGroupList", apiVersion: "v1", groups: list });
  }
  const found = groups.find((each) => each.group === group);
  if (found === undefined) return pageNotFound();
  if (version === undefined) {
    return objectResponse(200, { kind: "APIGroup", apiVersion: "v1", ...apiGroup(group, found.versions) });
  }
  if (!found.versions.includes(version)) throw routeNotFound();
  return objectResponse(200, resourceList(core.registry, group, version));
}

/** The one-answer form, when the Accept header prefers it. Source: KEP-3352. */
function aggregatedAnswer(
  core: ApiServerCore,
  request: RequestContext,
  groups: Parameters<typeof groupDiscoveryList>[1],
): ApiResponse | undefined {
  const accept = request.headers.get("accept");
  if (accept === undefined) return undefined;
  for (const { type, parameters } of parseAccept(accept)) {
    if (type !== "application/json" && type !== "*/*") continue;
    if (parameters.get("as") === undefined) return undefined;
    const version = parameters.get("v") ?? "";
    const isDiscovery =
      parameters.get("g") === "apidiscovery.k8s.io" && parameters.get("as") === "APIGroupDiscoveryList";
    if (!isDiscovery || (version !== "v2" && version !== "v2beta1")) continue;
    const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    const list = groupDiscoveryList(core.registry, groups, `apidiscovery.k8s.io/${version}`);
    return { status: 200, content: { kind: "object", value: list, contentType } };
  }
  return undefined;
}
