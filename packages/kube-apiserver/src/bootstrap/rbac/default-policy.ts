import type { UnstructuredObject } from "@binnacle/apimachinery";
import type { PolicyRule } from "../../authorization/rbac/rule-matcher.ts";
import { DEFAULT_CLUSTER_ROLES, rule } from "./cluster-roles.ts";
import { CONTROLLER_ROLES } from "./controller-roles.ts";

const GROUP = "rbac.authorization.k8s.io";
const API_VERSION = `${GROUP}/v1`;
const BOOTSTRAP_LABEL = { "kubernetes.io/bootstrapping": "rbac-defaults" };
const AUTOUPDATE = { "rbac.authorization.kubernetes.io/autoupdate": "true" };

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

const group = (name: string): Subject => ({ kind: "Group", name });
const user = (name: string): Subject => ({ kind: "User", name });
const account = (name: string): Subject => ({ kind: "ServiceAccount", name, namespace: "kube-system" });

/** Source: bootstrappolicy/policy.go, ClusterRoleBindings. */
const BINDINGS: readonly (readonly [role: string, ...subjects: Subject[]])[] = [
  ["cluster-admin", group("system:masters")],
  ["system:monitoring", group("system:monitoring")],
  ["system:discovery", group("system:authenticated")],
  ["system:basic-user", group("system:authenticated")],
  ["system:public-info-viewer", group("system:authenticated"), group("system:unauthenticated")],
  ["system:node-proxier", user("system:kube-proxy")],
  ["system:kube-controller-manager", user("system:kube-controller-manager")],
  ["system:kube-dns", account("kube-dns")],
  ["system:kube-scheduler", user("system:kube-scheduler")],
  ["system:volume-scheduler", user("system:kube-scheduler")],
  ["system:node"],
  ["system:service-account-issuer-discovery", group("system:serviceaccounts")],
];

/** The roles and bindings that every cluster has, each as a whole object, in the order in which to create them. */
export function defaultPolicy(): readonly UnstructuredObject[] {
  const roles = DEFAULT_CLUSTER_ROLES.map(({ name, labels, rules, aggregates }) => ({
    ...clusterRole(name, rules ?? rulesOfAggregate(aggregates ?? []), labels),
    ...(aggregates === undefined
      ? {}
      : {
          aggregationRule: {
            clusterRoleSelectors: aggregates.map((to) => ({ matchLabels: aggregateLabel(to) })),
          },
        }),
  }));
  const controllerRoles = Object.entries(CONTROLLER_ROLES).map(([name, rules]) =>
    clusterRole(`system:controller:${name}`, rules),
  );
  const bindings = BINDINGS.map(([role, ...subjects]) => clusterRoleBinding(role, subjects));
  const controllerBindings = Object.keys(CONTROLLER_ROLES).map((name) =>
    clusterRoleBinding(`system:controller:${name}`, [account(name)]),
  );
  return [...roles, ...controllerRoles, ...bindings, ...controllerBindings, ...namespacedPolicy()];
}

/** Source: bootstrappolicy/namespace_policy.go. */
function namespacedPolicy(): UnstructuredObject[] {
  const reader = rule(["get", "list", "watch"], [""], ["configmaps"]);
  const inSystem = (name: string, rules: readonly PolicyRule[]): UnstructuredObject =>
    namespaced("Role", "kube-system", name, { rules });
  const bind = (name: string, ...subjects: Subject[]): UnstructuredObject =>
    namespaced("RoleBinding", "kube-system", name, {
      roleRef: { apiGroup: GROUP, kind: "Role", name },
      subjects: subjects.map(subjectOf),
    });
  const leader = (name: string): PolicyRule[] => [
    rule(["watch"], [""], ["configmaps"]),
    { ...rule(["get", "update"], [""], ["configmaps"]), resourceNames: [name] },
  ];
  return [
    inSystem("extension-apiserver-authentication-reader", [
      { ...reader, resourceNames: ["extension-apiserver-authentication"] },
    ]),
    inSystem("system:controller:bootstrap-signer", [rule(["get", "list", "watch"], [""], ["secrets"])]),
    inSystem("system:controller:token-cleaner", [
      rule(["delete", "get", "list", "watch"], [""], ["secrets"]),
      rule(["create", "patch", "update"], ["", "events.k8s.io"], ["events"]),
    ]),
    inSystem("system::leader-locking-kube-controller-manager", leader("kube-controller-manager")),
    inSystem("system::leader-locking-kube-scheduler", leader("kube-scheduler")),
    bind(
      "system::leader-locking-kube-controller-manager",
      user("system:kube-controller-manager"),
      account("kube-controller-manager"),
    ),
    bind("system::leader-locking-kube-scheduler", user("system:kube-scheduler"), account("kube-scheduler")),
    bind("system:controller:bootstrap-signer", account("bootstrap-signer")),
    bind("system:controller:token-cleaner", account("token-cleaner")),
    namespaced("RoleBinding", "kube-system", "system::extension-apiserver-authentication-reader", {
      roleRef: { apiGroup: GROUP, kind: "Role", name: "extension-apiserver-authentication-reader" },
      subjects: [user("system:kube-controller-manager"), user("system:kube-scheduler")].map(subjectOf),
    }),
  ];
}

/** Without a controller manager the aggregated roles must work too, so their rules are filled in from the start. */
function rulesOfAggregate(targets: readonly string[]): readonly PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const role of DEFAULT_CLUSTER_ROLES) {
    const isPart = targets.some((to) => role.labels?.[Object.keys(aggregateLabel(to))[0]!] === "true");
    if (isPart) rules.push(...(role.rules ?? rulesOfAggregate(role.aggregates ?? [])));
  }
  return rules;
}

function aggregateLabel(to: string): Record<string, string> {
  return { [`rbac.authorization.k8s.io/aggregate-to-${to}`]: "true" };
}

function clusterRole(
  name: string,
  rules: readonly PolicyRule[],
  labels: Readonly<Record<string, string>> = {},
): UnstructuredObject {
  return { ...head("ClusterRole", name, labels), rules: rules.map((each) => ({ ...each })) };
}

function clusterRoleBinding(role: string, subjects: readonly Subject[]): UnstructuredObject {
  return {
    ...head("ClusterRoleBinding", role),
    roleRef: { apiGroup: GROUP, kind: "ClusterRole", name: role },
    ...(subjects.length === 0 ? {} : { subjects: subjects.map(subjectOf) }),
  };
}

function subjectOf(subject: Subject): Record<string, string> {
  return subject.kind === "ServiceAccount" ? { ...subject } : { apiGroup: GROUP, ...subject };
}

function namespaced(
  kind: string,
  namespace: string,
  name: string,
  fields: Record<string, unknown>,
): UnstructuredObject {
  const object = head(kind, name);
  return { ...object, metadata: { ...object.metadata, namespace }, ...fields };
}

function head(kind: string, name: string, labels: Readonly<Record<string, string>> = {}): UnstructuredObject {
  return {
    kind,
    apiVersion: API_VERSION,
    metadata: { name, labels: { ...BOOTSTRAP_LABEL, ...labels }, annotations: { ...AUTOUPDATE } },
  };
}
