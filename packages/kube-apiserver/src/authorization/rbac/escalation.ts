import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@binnacle/api";
import { forbidden, notFound, type UnstructuredObject } from "@binnacle/apimachinery";
import { type HookContext, MASTERS_GROUP, type ResourceHooks, type UserInfo } from "@binnacle/apiserver";
import { jsonEquals } from "@binnacle/base";
import type { RbacAuthorizer } from "./rbac-authorizer.ts";
import { type PolicyRule, uncoveredRules } from "./rule-matcher.ts";

const GROUP = "rbac.authorization.k8s.io";

/**
 * Nobody hands out more than they have: hooks of roles and bindings that refuse it, on create and on update.
 *
 * Source: kubernetes v1.36 pkg/registry/rbac/{role,clusterrole,rolebinding,clusterrolebinding}/policybased/storage.go.
 */
export function escalationHooks(rbac: RbacAuthorizer): ReadonlyMap<string, ResourceHooks> {
  const roles: ResourceHooks = {
    beginCreate: (context, object) => checkRole(rbac, context, object as unknown as Role),
    beginUpdate: (context, updated, old) =>
      isForGarbageCollection(updated, old) ? undefined : checkRole(rbac, context, updated as unknown as Role),
  };
  const bindings: ResourceHooks = {
    beginCreate: (context, object) => checkBinding(rbac, context, object as unknown as RoleBinding),
    beginUpdate: (context, updated, old) =>
      isForGarbageCollection(updated, old)
        ? undefined
        : checkBinding(rbac, context, updated as unknown as RoleBinding),
  };
  return new Map([
    [`roles.${GROUP}`, roles],
    [`clusterroles.${GROUP}`, roles],
    [`rolebindings.${GROUP}`, bindings],
    [`clusterrolebindings.${GROUP}`, bindings],
  ]);
}

/** Whether only finalizers and owners change: the garbage collector may do that without having the rules. */
function isForGarbageCollection(updated: UnstructuredObject, old: UnstructuredObject): boolean {
  return jsonEquals(withoutGarbageCollection(updated), withoutGarbageCollection(old));
}

function withoutGarbageCollection(object: UnstructuredObject): unknown {
  const { finalizers: _, ownerReferences: __, managedFields: ___, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function checkRole(rbac: RbacAuthorizer, context: HookContext, role: Role | ClusterRole): undefined {
  const { user } = context.request;
  if (user.groups.includes(MASTERS_GROUP) || may(rbac, context, "escalate", role.metadata.name ?? ""))
    return undefined;
  const { namespace = "" } = role.metadata;
  const wanted: PolicyRule[] = [...((role.rules ?? []) as PolicyRule[])]; // Validated after this step.
  if ("aggregationRule" in role && role.aggregationRule !== undefined) {
    // The rules that will be aggregated are not known: only who may do everything may ask for them.
    wanted.push(
      { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
      { verbs: ["*"], nonResourceURLs: ["*"] },
    );
  }
  refuseUncovered(rbac, context, { user, namespace, wanted, name: role.metadata.name ?? "" });
  return undefined;
}

function checkBinding(
  rbac: RbacAuthorizer,
  context: HookContext,
  binding: RoleBinding | ClusterRoleBinding,
): undefined {
  const { user } = context.request;
  if (user.groups.includes(MASTERS_GROUP) || mayBind(rbac, context, binding)) return undefined;
  const { namespace = "" } = binding.metadata;
  const wanted = rbac.rulesOf(binding.roleRef, namespace);
  const name = binding.metadata.name ?? "";
  if (wanted === undefined) {
    throw notFound(resourceOf(context), binding.roleRef.name);
  }
  refuseUncovered(rbac, context, { user, namespace, wanted, name });
  return undefined;
}

function refuseUncovered(
  rbac: RbacAuthorizer,
  context: HookContext,
  wish: { user: UserInfo; namespace: string; wanted: readonly PolicyRule[]; name: string },
): void {
  const { user, namespace, wanted, name } = wish;
  const missing = uncoveredRules(rbac.rulesFor(user, namespace), wanted);
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.name)} (groups=[${user.groups.map((group) => JSON.stringify(group)).join(" ")}])`;
  const rules = compact(missing).map(describe).join("\n");
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${rules}`;
  throw forbidden(resourceOf(context), name, why);
}

function may(rbac: RbacAuthorizer, context: HookContext, verb: string, name: string): boolean {
  const { request, served } = context;
  const decision = rbac.authorize({
    user: request.user,
    verb,
    isResourceRequest: true,
    group: GROUP,
    version: "*",
    resource: served.resource,
    subresource: "",
    namespace: served.namespaced ? request.info.namespace : "",
    name,
    path: "",
  });
  return decision.verdict === "allow";
}

function mayBind(
  rbac: RbacAuthorizer,
  context: HookContext,
  binding: RoleBinding | ClusterRoleBinding,
): boolean {
  const { request, served } = context;
  const decision = rbac.authorize({
    user: request.user,
    verb: "bind",
    isResourceRequest: true,
    group: GROUP,
    version: "*",
    resource: binding.roleRef.kind === "Role" ? "roles" : "clusterroles",
    subresource: "",
    namespace: served.namespaced ? request.info.namespace : "",
    name: binding.roleRef.name,
    path: "",
  });
  return decision.verdict === "allow";
}

function resourceOf(context: HookContext): { group: string; resource: string } {
  return { group: GROUP, resource: context.served.resource };
}

/** Rules that differ only in their verb are shown as one. Source: component-helpers/auth/rbac/validation/policy_compact.go. */
function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs: _, ...rest } = rule;
    const key = JSON.stringify(rest);
    const known = merged.get(key);
    merged.set(key, known === undefined ? rule : { ...known, verbs: [...known.verbs, ...rule.verbs] });
  }
  return [...merged.values()].sort((a, b) => (describe(a) < describe(b) ? -1 : 1));
}

/** Source: pkg/apis/rbac/v1/helpers.go, CompactString. */
function describe(rule: PolicyRule): string {
  const list = (values: readonly string[]): string =>
    `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
  const parts: string[] = [];
  if ((rule.apiGroups ?? []).length > 0) parts.push(`APIGroups:${list(rule.apiGroups ?? [])}`);
  if ((rule.nonResourceURLs ?? []).length > 0)
    parts.push(`NonResourceURLs:${list(rule.nonResourceURLs ?? [])}`);
  if ((rule.resources ?? []).length > 0) parts.push(`Resources:${list(rule.resources ?? [])}`);
  if ((rule.resourceNames ?? []).length > 0) parts.push(`ResourceNames:${list(rule.resourceNames ?? [])}`);
  parts.push(`Verbs:${list(rule.verbs)}`);
  return `{${parts.join(", ")}}`;
}
