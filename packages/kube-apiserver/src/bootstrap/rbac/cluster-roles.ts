import type { PolicyRule } from "../../authorization/rbac/rule-matcher.ts";

/** A default ClusterRole. */
export interface DefaultClusterRole {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly rules?: readonly PolicyRule[];
  /** Set for aggregated roles: the controller fills in the rules of the roles that match. */
  readonly aggregates?: readonly string[];
}

const READ = ["get", "list", "watch"];
const READ_WRITE = [...READ, "create", "delete", "deletecollection", "patch", "update"];
const WRITE = ["create", "delete", "deletecollection", "patch", "update"];

const AUTHENTICATION = "authentication.k8s.io";
const AUTHORIZATION = "authorization.k8s.io";
const CERTIFICATES = "certificates.k8s.io";
const COORDINATION = "coordination.k8s.io";
const DISCOVERY = "discovery.k8s.io";
const EVENTS = "events.k8s.io";
const NETWORKING = "networking.k8s.io";
const RBAC = "rbac.authorization.k8s.io";
const RESOURCE = "resource.k8s.io";
const STORAGE = "storage.k8s.io";

/** A rule about resources. */
export function rule(
  verbs: readonly string[],
  apiGroups: readonly string[],
  resources: readonly string[],
): PolicyRule {
  return { verbs, apiGroups, resources };
}

function named(base: PolicyRule, ...resourceNames: string[]): PolicyRule {
  return { ...base, resourceNames };
}

function urls(verbs: readonly string[], ...nonResourceURLs: string[]): PolicyRule {
  return { verbs, nonResourceURLs };
}

/** Writes events through either API. */
export const EVENTS_RULE: PolicyRule = rule(["create", "patch", "update"], ["", EVENTS], ["events"]);

const AGGREGATE = "rbac.authorization.k8s.io/aggregate-to-";

const VIEW_RULES: readonly PolicyRule[] = [
  rule(
    READ,
    [""],
    [
      "configmaps",
      "endpoints",
      "persistentvolumeclaims",
      "persistentvolumeclaims/status",
      "pods",
      "replicationcontrollers",
      "replicationcontrollers/scale",
      "serviceaccounts",
      "services",
      "services/status",
    ],
  ),
  rule(
    READ,
    [""],
    [
      "bindings",
      "events",
      "limitranges",
      "namespaces/status",
      "pods/log",
      "pods/status",
      "replicationcontrollers/status",
      "resourcequotas",
      "resourcequotas/status",
    ],
  ),
  rule(READ, [""], ["namespaces"]),
  rule(READ, [DISCOVERY], ["endpointslices"]),
  rule(
    READ,
    ["apps"],
    [
      "controllerrevisions",
      "daemonsets",
      "daemonsets/status",
      "deployments",
      "deployments/scale",
      "deployments/status",
      "replicasets",
      "replicasets/scale",
      "replicasets/status",
      "statefulsets",
      "statefulsets/scale",
      "statefulsets/status",
    ],
  ),
  rule(READ, ["autoscaling"], ["horizontalpodautoscalers", "horizontalpodautoscalers/status"]),
  rule(READ, ["batch"], ["cronjobs", "cronjobs/status", "jobs", "jobs/status"]),
  rule(
    READ,
    ["extensions"],
    [
      "daemonsets",
      "daemonsets/status",
      "deployments",
      "deployments/scale",
      "deployments/status",
      "ingresses",
      "ingresses/status",
      "networkpolicies",
      "replicasets",
      "replicasets/scale",
      "replicasets/status",
      "replicationcontrollers/scale",
    ],
  ),
  rule(READ, ["policy"], ["poddisruptionbudgets", "poddisruptionbudgets/status"]),
  rule(READ, [NETWORKING], ["ingresses", "ingresses/status", "networkpolicies"]),
  rule(READ, [RESOURCE], ["resourceclaims", "resourceclaims/status", "resourceclaimtemplates"]),
];

const EDIT_RULES: readonly PolicyRule[] = [
  rule(
    READ,
    [""],
    ["pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets", "services/proxy"],
  ),
  rule(["impersonate"], [""], ["serviceaccounts"]),
  rule(WRITE, [""], ["pods", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy"]),
  rule(["create"], [""], ["pods/eviction"]),
  rule(
    WRITE,
    [""],
    [
      "configmaps",
      "events",
      "persistentvolumeclaims",
      "replicationcontrollers",
      "replicationcontrollers/scale",
      "secrets",
      "serviceaccounts",
      "services",
      "services/proxy",
    ],
  ),
  rule(["create"], [""], ["serviceaccounts/token"]),
  rule(
    WRITE,
    ["apps"],
    [
      "daemonsets",
      "deployments",
      "deployments/rollback",
      "deployments/scale",
      "replicasets",
      "replicasets/scale",
      "statefulsets",
      "statefulsets/scale",
    ],
  ),
  rule(WRITE, ["autoscaling"], ["horizontalpodautoscalers"]),
  rule(WRITE, ["batch"], ["cronjobs", "jobs"]),
  rule(
    WRITE,
    ["extensions"],
    [
      "daemonsets",
      "deployments",
      "deployments/rollback",
      "deployments/scale",
      "ingresses",
      "networkpolicies",
      "replicasets",
      "replicasets/scale",
      "replicationcontrollers/scale",
    ],
  ),
  rule(WRITE, ["policy"], ["poddisruptionbudgets"]),
  rule(WRITE, [NETWORKING], ["ingresses", "networkpolicies"]),
  rule(READ_WRITE, [COORDINATION], ["leases"]),
  rule(WRITE, [RESOURCE], ["resourceclaims", "resourceclaimtemplates"]),
];

const ADMIN_RULES: readonly PolicyRule[] = [
  rule(["create"], [AUTHORIZATION], ["localsubjectaccessreviews"]),
  rule(READ_WRITE, [RBAC], ["rolebindings", "roles"]),
];

/**
 * The ClusterRoles that every cluster has.
 *
 * Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, ClusterRoles.
 */
export const DEFAULT_CLUSTER_ROLES: readonly DefaultClusterRole[] = [
  { name: "cluster-admin", rules: [rule(["*"], ["*"], ["*"]), urls(["*"], "*")] },
  {
    name: "system:discovery",
    rules: [
      urls(
        ["get"],
        "/api",
        "/api/*",
        "/apis",
        "/apis/*",
        "/healthz",
        "/livez",
        "/openapi",
        "/openapi/*",
        "/readyz",
        "/version",
        "/version/",
      ),
    ],
  },
  {
    name: "system:monitoring",
    rules: [
      urls(
        ["get"],
        "/healthz",
        "/healthz/*",
        "/livez",
        "/livez/*",
        "/metrics",
        "/metrics/slis",
        "/readyz",
        "/readyz/*",
      ),
    ],
  },
  {
    name: "system:basic-user",
    rules: [
      rule(["create"], [AUTHORIZATION], ["selfsubjectaccessreviews", "selfsubjectrulesreviews"]),
      rule(["create"], [AUTHENTICATION], ["selfsubjectreviews"]),
    ],
  },
  {
    name: "system:public-info-viewer",
    rules: [urls(["get"], "/healthz", "/livez", "/readyz", "/version", "/version/")],
  },
  { name: "admin", aggregates: ["admin"] },
  { name: "edit", labels: { [`${AGGREGATE}admin`]: "true" }, aggregates: ["edit"] },
  { name: "view", labels: { [`${AGGREGATE}edit`]: "true" }, aggregates: ["view"] },
  { name: "system:aggregate-to-admin", labels: { [`${AGGREGATE}admin`]: "true" }, rules: ADMIN_RULES },
  { name: "system:aggregate-to-edit", labels: { [`${AGGREGATE}edit`]: "true" }, rules: EDIT_RULES },
  { name: "system:aggregate-to-view", labels: { [`${AGGREGATE}view`]: "true" }, rules: VIEW_RULES },
  {
    name: "system:heapster",
    rules: [
      rule(READ, [""], ["events", "namespaces", "nodes", "pods"]),
      rule(READ, ["extensions"], ["deployments"]),
    ],
  },
  {
    name: "system:node",
    rules: [
      rule(["create"], [AUTHENTICATION], ["tokenreviews"]),
      rule(["create"], [AUTHORIZATION], ["localsubjectaccessreviews", "subjectaccessreviews"]),
      rule(READ, [""], ["services"]),
      rule(["create", ...READ], [""], ["nodes"]),
      rule(["patch", "update"], [""], ["nodes/status"]),
      rule(["patch", "update"], [""], ["nodes"]),
      rule(["create", "patch", "update"], [""], ["events"]),
      rule(READ, [""], ["pods"]),
      rule(["create", "delete"], [""], ["pods"]),
      rule(["patch", "update"], [""], ["pods/status"]),
      rule(["create"], [""], ["pods/eviction"]),
      rule(READ, [""], ["configmaps", "secrets"]),
      rule(["get"], [""], ["persistentvolumeclaims", "persistentvolumes"]),
      rule(["get"], [""], ["endpoints"]),
      rule(["create", ...READ], [CERTIFICATES], ["certificatesigningrequests"]),
      rule(["create", "delete", "get", "patch", "update"], [COORDINATION], ["leases"]),
      rule(["get"], [STORAGE], ["volumeattachments"]),
      rule(["create"], [""], ["serviceaccounts/token"]),
      rule(["get", "patch", "update"], [""], ["persistentvolumeclaims/status"]),
      rule(READ, [STORAGE], ["csidrivers"]),
      rule(["create", "delete", "get", "patch", "update"], [STORAGE], ["csinodes"]),
      rule(READ, ["node.k8s.io"], ["runtimeclasses"]),
      rule(["get"], [RESOURCE], ["resourceclaims"]),
      rule(["deletecollection"], [RESOURCE], ["resourceslices"]),
      rule(["create", "delete", "get", "list", "patch", "update", "watch"], [RESOURCE], ["resourceslices"]),
    ],
  },
  {
    name: "system:node-problem-detector",
    rules: [rule(["get"], [""], ["nodes"]), rule(["patch"], [""], ["nodes/status"]), EVENTS_RULE],
  },
  {
    name: "system:kubelet-api-admin",
    rules: [
      rule(READ, [""], ["nodes"]),
      rule(["proxy"], [""], ["nodes"]),
      rule(
        ["*"],
        [""],
        [
          "nodes/configz",
          "nodes/healthz",
          "nodes/log",
          "nodes/metrics",
          "nodes/pods",
          "nodes/proxy",
          "nodes/stats",
        ],
      ),
    ],
  },
  {
    name: "system:node-bootstrapper",
    rules: [rule(["create", ...READ], [CERTIFICATES], ["certificatesigningrequests"])],
  },
  {
    name: "system:auth-delegator",
    rules: [
      rule(["create"], [AUTHENTICATION], ["tokenreviews"]),
      rule(["create"], [AUTHORIZATION], ["subjectaccessreviews"]),
    ],
  },
  {
    name: "system:kube-aggregator",
    rules: [rule(READ, [""], ["endpoints", "services"]), rule(READ, [DISCOVERY], ["endpointslices"])],
  },
  {
    name: "system:kube-controller-manager",
    rules: [
      EVENTS_RULE,
      rule(["create"], [COORDINATION], ["leases"]),
      named(rule(["get", "update"], [COORDINATION], ["leases"]), "kube-controller-manager"),
      rule(["create"], [""], ["secrets", "serviceaccounts"]),
      rule(["delete"], [""], ["secrets"]),
      rule(["get"], [""], ["configmaps", "namespaces", "secrets", "serviceaccounts"]),
      rule(["update"], [""], ["secrets", "serviceaccounts"]),
      rule(["create"], [AUTHENTICATION], ["tokenreviews"]),
      rule(["create"], [AUTHORIZATION], ["subjectaccessreviews"]),
      rule(["list", "watch"], ["*"], ["*"]),
      rule(["create"], [""], ["serviceaccounts/token"]),
    ],
  },
  {
    name: "system:kube-scheduler",
    rules: [
      EVENTS_RULE,
      rule(["create"], [COORDINATION], ["leases"]),
      named(rule(["get", "update"], [COORDINATION], ["leases"]), "kube-scheduler"),
      rule(READ, [""], ["nodes"]),
      rule(["delete", ...READ], [""], ["pods"]),
      rule(["create"], [""], ["bindings", "pods/binding"]),
      rule(["patch", "update"], [""], ["pods/status"]),
      rule(READ, [""], ["replicationcontrollers", "services"]),
      rule(READ, ["apps", "extensions"], ["replicasets"]),
      rule(READ, ["apps"], ["statefulsets"]),
      rule(READ, ["policy"], ["poddisruptionbudgets"]),
      rule(READ, [""], ["persistentvolumeclaims", "persistentvolumes"]),
      rule(["create"], [AUTHENTICATION], ["tokenreviews"]),
      rule(["create"], [AUTHORIZATION], ["subjectaccessreviews"]),
      rule(READ, [STORAGE], ["csinodes"]),
      rule(READ, [""], ["namespaces"]),
      rule(READ, [STORAGE], ["csidrivers"]),
      rule(READ, [STORAGE], ["csistoragecapacities"]),
      rule(READ, [RESOURCE], ["deviceclasses"]),
      rule(["get", "list", "patch", "update", "watch"], [RESOURCE], ["resourceclaims"]),
      rule(["get", "list", "patch", "update", "watch"], [RESOURCE], ["resourceclaims/status"]),
      rule(["get", "list", "patch", "update", "watch"], [""], ["pods/finalizers"]),
      rule(READ, [RESOURCE], ["resourceslices"]),
    ],
  },
  { name: "system:kube-dns", rules: [rule(["list", "watch"], [""], ["endpoints", "services"])] },
  {
    name: "system:persistent-volume-provisioner",
    rules: [
      rule(["create", "delete", ...READ], [""], ["persistentvolumes"]),
      rule(["get", "list", "update", "watch"], [""], ["persistentvolumeclaims"]),
      rule(READ, [STORAGE], ["storageclasses"]),
      rule(["watch"], [""], ["events"]),
      EVENTS_RULE,
    ],
  },
  {
    name: "system:volume-scheduler",
    rules: [
      rule(["get", "list", "patch", "update", "watch"], [""], ["persistentvolumes"]),
      rule(READ, [STORAGE], ["storageclasses"]),
      rule(["get", "list", "patch", "update", "watch"], [""], ["persistentvolumeclaims"]),
    ],
  },
  {
    name: "system:node-proxier",
    rules: [
      rule(["list", "watch"], [""], ["endpoints", "services"]),
      rule(["get", "list", "watch"], [""], ["nodes"]),
      EVENTS_RULE,
      rule(["list", "watch"], [DISCOVERY], ["endpointslices"]),
      rule(["list", "watch"], [NETWORKING], ["servicecidrs"]),
    ],
  },
  {
    name: "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
    rules: [rule(["create"], [CERTIFICATES], ["certificatesigningrequests/nodeclient"])],
  },
  {
    name: "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
    rules: [rule(["create"], [CERTIFICATES], ["certificatesigningrequests/selfnodeclient"])],
  },
  ...["kube-apiserver-client", "kube-apiserver-client-kubelet", "kubelet-serving", "legacy-unknown"].map(
    (signer) => ({
      name: `system:certificates.k8s.io:${signer}-approver`,
      rules: [named(rule(["approve"], [CERTIFICATES], ["signers"]), `kubernetes.io/${signer}`)],
    }),
  ),
  {
    name: "system:service-account-issuer-discovery",
    rules: [
      urls(
        ["get"],
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/",
        "/openid/v1/jwks",
        "/openid/v1/jwks/",
      ),
    ],
  },
];
