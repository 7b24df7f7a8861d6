import { badRequest } from "@binnacle/apimachinery";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { RequestContext } from "../request/request-context.ts";
import { asAuthenticated, MASTERS_GROUP, type UserInfo } from "../request/user-info.ts";
import { denied } from "./authorize.ts";

const EXTRA_PREFIX = "impersonate-extra-";
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * Acts as somebody else when the headers ask for it and the user may.
 *
 * Source: kubernetes v1.36 apiserver/pkg/endpoints/filters/impersonation.go.
 */
export async function impersonate(core: ApiServerCore, request: RequestContext): Promise<void> {
  const { headers } = request;
  const name = headers.get("impersonate-user");
  const groups = headers.all("impersonate-group");
  const uid = headers.get("impersonate-uid");
  const extra = extraOf(request);
  if (name === undefined || name === "") {
    if (groups.length === 0 && uid === undefined && extra.size === 0) return;
    throw badRequest("requested impersonation without impersonating a user");
  }
  const account = SERVICE_ACCOUNT.exec(name);
  if (account !== null) {
    await allow(core, request, {
      group: "",
      resource: "serviceaccounts",
      namespace: account[1]!,
      name: account[2]!,
    });
  } else {
    await allow(core, request, { group: "", resource: "users", namespace: "", name });
  }
  for (const group of groups)
    await allow(core, request, { group: "", resource: "groups", namespace: "", name: group });
  if (uid !== undefined) {
    await allow(core, request, {
      group: "authentication.k8s.io",
      resource: "uids",
      namespace: "",
      name: uid,
    });
  }
  for (const [key, values] of extra) {
    for (const value of values) {
      await allow(core, request, {
        group: "authentication.k8s.io",
        resource: "userextras",
        subresource: key,
        namespace: "",
        name: value,
      });
    }
  }
  request.user = impersonated({ name, uid, groups, extra, account });
}

function impersonated(wish: {
  name: string;
  uid: string | undefined;
  groups: readonly string[];
  extra: ReadonlyMap<string, readonly string[]>;
  account: RegExpExecArray | null;
}): UserInfo {
  const { name, uid, extra, account } = wish;
  let groups = wish.groups;
  if (account !== null && groups.length === 0) {
    groups = ["system:serviceaccounts", `system:serviceaccounts:${account[1]}`];
  }
  const user: UserInfo = {
    name,
    groups,
    ...(uid === undefined ? {} : { uid }),
    ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
  if (name === "system:anonymous")
    return { ...user, groups: [...new Set([...groups, "system:unauthenticated"])] };
  return asAuthenticated(user);
}

async function allow(
  core: ApiServerCore,
  request: RequestContext,
  target: { group: string; resource: string; subresource?: string; namespace: string; name: string },
): Promise<void> {
  if (request.user.groups.includes(MASTERS_GROUP)) return;
  const attributes = {
    user: request.user,
    verb: "impersonate",
    isResourceRequest: true,
    version: "",
    subresource: "",
    path: "",
    ...target,
  };
  const decision = await core.authorizer.authorize(attributes);
  if (decision.verdict !== "allow") throw denied(attributes, decision.reason ?? "");
}

function extraOf(request: RequestContext): Map<string, string[]> {
  const extra = new Map<string, string[]>();
  for (const header of request.headers.names()) {
    if (!header.startsWith(EXTRA_PREFIX)) continue;
    extra.set(decodeKey(header.slice(EXTRA_PREFIX.length)), [...request.headers.all(header)]);
  }
  return extra;
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key; // Not percent-encoded: upstream takes it as it is.
  }
}
