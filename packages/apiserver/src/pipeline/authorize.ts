import { forbidden, type StatusError, statusError } from "@binnacle/apimachinery";
import type { AuthorizationAttributes } from "../authorization/authorizer.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { RequestContext } from "../request/request-context.ts";
import { MASTERS_GROUP } from "../request/user-info.ts";

/** Asks the authorizer, and answers 403 with who may not do what. */
export async function authorize(core: ApiServerCore, request: RequestContext): Promise<void> {
  if (request.user.groups.includes(MASTERS_GROUP)) return; // May do everything, by definition.
  const attributes = attributesOf(request);
  const pending = core.authorizer.authorize(attributes);
  const decision = pending instanceof Promise ? await pending : pending;
  if (decision.verdict === "allow") return;
  throw denied(attributes, decision.reason ?? "");
}

/** What a request wants to do. */
export function attributesOf(request: RequestContext): AuthorizationAttributes {
  const { info, user } = request;
  return {
    user,
    verb: info.verb,
    isResourceRequest: info.isResourceRequest,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    path: info.path,
  };
}

/** Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/responsewriters/errors.go, ForbiddenStatusError. */
export function denied(attributes: AuthorizationAttributes, reason: string): StatusError {
  const { user, verb, group, resource, subresource, namespace, name, path } = attributes;
  const who = `User ${JSON.stringify(user.name)} cannot`;
  const because = reason === "" ? "" : `: ${reason}`;
  if (!attributes.isResourceRequest) {
    return statusError(
      403,
      "Forbidden",
      `forbidden: ${who} ${verb} path ${JSON.stringify(path)}${because}`,
      {},
    );
  }
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `${who} ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}${because}`;
  return forbidden({ group, resource }, name, why);
}
