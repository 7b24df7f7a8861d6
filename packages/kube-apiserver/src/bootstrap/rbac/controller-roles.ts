import type { PolicyRule } from "../../authorization/rbac/rule-matcher.ts";
import { EVENTS_RULE, rule } from "./cluster-roles.ts";

const READ = ["get", "list", "watch"];

/**
 * What each built-in controller may do: its ClusterRole is `system:controller:NAME`, bound to the service account
 * NAME in kube-system.
 *
 * Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go.
 */
export const CONTROLLER_ROLES: Readonly<Record<string, readonly PolicyRule[]>> = {
  "attachdetach-controller": [
    rule(["list", "watch"], [""], ["persistentvolumeclaims", "persistentvolumes"]),
    rule(READ, [""], ["nodes"]),
    rule(["patch", "update"], [""], ["nodes/status"]),
    rule(["list", "watch"], [""], ["pods"]),
    EVENTS_RULE,
    rule(["create", "delete", ...READ], ["storage.k8s.io"], ["volumeattachments"]),
    rule(READ, ["storage.k8s.io"], ["csidrivers", "csinodes"]),
  ],
  "clusterrole-aggregation-controller": [
    rule(
      ["escalate", "get", "list", "patch", "update", "watch"],
      ["rbac.authorization.k8s.io"],
      ["clusterroles"],
    ),
  ],
  "cronjob-controller": [
    rule(["get", "list", "update", "watch"], ["batch"], ["cronjobs"]),
    rule(["create", "delete", "get", "list", "patch", "update", "watch"], ["batch"], ["jobs"]),
    rule(["update"], ["batch"], ["cronjobs/status"]),
    rule(["update"], ["batch"], ["cronjobs/finalizers"]),
    rule(["delete", "list"], [""], ["pods"]),
    EVENTS_RULE,
  ],
  "daemon-set-controller": [
    rule(READ, ["apps", "extensions"], ["daemonsets"]),
    rule(["update"], ["apps", "extensions"], ["daemonsets/status"]),
    rule(["update"], ["apps", "extensions"], ["daemonsets/finalizers"]),
    rule(["list", "watch"], [""], ["nodes"]),
    rule(["create", "delete", "list", "patch", "watch"], [""], ["pods"]),
    rule(["create"], [""], ["pods/binding"]),
    rule(["create", "delete", "get", "list", "patch", "update", "watch"], ["apps"], ["controllerrevisions"]),
    EVENTS_RULE,
  ],
  "deployment-controller": [
    rule(["get", "list", "update", "watch"], ["apps", "extensions"], ["deployments"]),
    rule(["update"], ["apps", "extensions"], ["deployments/status"]),
    rule(["update"], ["apps", "extensions"], ["deployments/finalizers"]),
    rule(
      ["create", "delete", "get", "list", "patch", "update", "watch"],
      ["apps", "extensions"],
      ["replicasets"],
    ),
    rule(["get", "list", "update", "watch"], [""], ["pods"]),
    EVENTS_RULE,
  ],
  "disruption-controller": [
    rule(READ, ["apps", "extensions"], ["deployments"]),
    rule(READ, ["apps", "extensions"], ["replicasets"]),
    rule(READ, [""], ["replicationcontrollers"]),
    rule(READ, ["policy"], ["poddisruptionbudgets"]),
    rule(READ, ["apps"], ["statefulsets"]),
    rule(["update"], ["policy"], ["poddisruptionbudgets/status"]),
    rule(["patch", "update"], [""], ["pods/status"]),
    EVENTS_RULE,
    rule(["get"], ["*"], ["*/scale"]),
  ],
  "endpoint-controller": [
    rule(READ, [""], ["pods", "services"]),
    rule(["create", "delete", "get", "list", "update"], [""], ["endpoints"]),
    rule(["create"], [""], ["endpoints/restricted"]),
    EVENTS_RULE,
  ],
  "endpointslice-controller": [
    rule(READ, [""], ["nodes", "pods", "services"]),
    rule(["update"], [""], ["services/finalizers"]),
    rule(["create", "delete", "get", "list", "update"], ["discovery.k8s.io"], ["endpointslices"]),
    rule(["create"], ["discovery.k8s.io"], ["endpointslices/restricted"]),
    EVENTS_RULE,
  ],
  "endpointslicemirroring-controller": [
    rule(READ, [""], ["endpoints", "services"]),
    rule(["update"], [""], ["services/finalizers"]),
    rule(["update"], [""], ["endpoints/finalizers"]),
    rule(["create", "delete", "get", "list", "update"], ["discovery.k8s.io"], ["endpointslices"]),
    rule(["create"], ["discovery.k8s.io"], ["endpointslices/restricted"]),
    EVENTS_RULE,
  ],
  "expand-controller": [
    rule(["get", "list", "patch", "update", "watch"], [""], ["persistentvolumes"]),
    rule(["patch", "update"], [""], ["persistentvolumeclaims/status"]),
    rule(READ, [""], ["persistentvolumeclaims"]),
    EVENTS_RULE,
  ],
  "ephemeral-volume-controller": [
    rule(["update"], [""], ["pods/finalizers"]),
    rule(READ, [""], ["pods"]),
    rule(["create", ...READ], [""], ["persistentvolumeclaims"]),
    EVENTS_RULE,
  ],
  "generic-garbage-collector": [
    rule(["delete", "get", "list", "patch", "update", "watch"], ["*"], ["*"]),
    EVENTS_RULE,
  ],
  "horizontal-pod-autoscaler": [
    rule(READ, ["autoscaling"], ["horizontalpodautoscalers"]),
    rule(["update"], ["autoscaling"], ["horizontalpodautoscalers/status"]),
    rule(["get", "update"], ["*"], ["*/scale"]),
    rule(["list"], [""], ["pods"]),
    rule(["list"], ["metrics.k8s.io"], ["pods"]),
    rule(["get", "list"], ["custom.metrics.k8s.io"], ["*"]),
    rule(["get", "list"], ["external.metrics.k8s.io"], ["*"]),
    EVENTS_RULE,
  ],
  "job-controller": [
    rule(["get", "list", "patch", "update", "watch"], ["batch"], ["jobs"]),
    rule(["update"], ["batch"], ["jobs/status"]),
    rule(["update"], ["batch"], ["jobs/finalizers"]),
    rule(["create", "delete", "list", "patch", "watch"], [""], ["pods"]),
    EVENTS_RULE,
  ],
  "namespace-controller": [
    rule(["delete", ...READ], [""], ["namespaces"]),
    rule(["update"], [""], ["namespaces/finalize", "namespaces/status"]),
    rule(["delete", "deletecollection", "get", "list"], ["*"], ["*"]),
  ],
  "node-controller": [
    rule(["delete", "get", "list", "patch", "update", "watch"], [""], ["nodes"]),
    rule(["patch", "update"], [""], ["nodes/status"]),
    rule(["patch", "update"], [""], ["pods/status"]),
    rule(["delete", "get", "list", "watch"], [""], ["pods"]),
    EVENTS_RULE,
  ],
  "persistent-volume-binder": [
    rule(["create", "delete", "get", "list", "update", "watch"], [""], ["persistentvolumes"]),
    rule(["update"], [""], ["persistentvolumes/status"]),
    rule(["get", "list", "update", "watch"], [""], ["persistentvolumeclaims"]),
    rule(["update"], [""], ["persistentvolumeclaims/status"]),
    rule(["create", "delete", "get", "list", "watch"], [""], ["pods"]),
    rule(READ, ["storage.k8s.io"], ["storageclasses"]),
    rule(["create", "delete", "get"], [""], ["services"]),
    rule(["create", "delete", "get"], [""], ["endpoints"]),
    rule(["get", "list"], [""], ["secrets"]),
    rule(READ, [""], ["nodes"]),
    rule(["watch"], [""], ["events"]),
    EVENTS_RULE,
  ],
  "pod-garbage-collector": [
    rule(["delete", "list", "watch"], [""], ["pods"]),
    rule(["get", "list"], [""], ["nodes"]),
    rule(["patch"], [""], ["pods/status"]),
  ],
  "pvc-protection-controller": [
    rule(["get", "list", "update", "watch"], [""], ["persistentvolumeclaims"]),
    rule(READ, [""], ["pods"]),
    EVENTS_RULE,
  ],
  "pv-protection-controller": [
    rule(["get", "list", "update", "watch"], [""], ["persistentvolumes"]),
    EVENTS_RULE,
  ],
  "replicaset-controller": [
    rule(["get", "list", "update", "watch"], ["apps", "extensions"], ["replicasets"]),
    rule(["update"], ["apps", "extensions"], ["replicasets/status"]),
    rule(["update"], ["apps", "extensions"], ["replicasets/finalizers"]),
    rule(["create", "delete", "list", "patch", "watch"], [""], ["pods"]),
    EVENTS_RULE,
  ],
  "replication-controller": [
    rule(["get", "list", "update", "watch"], [""], ["replicationcontrollers"]),
    rule(["update"], [""], ["replicationcontrollers/status"]),
    rule(["update"], [""], ["replicationcontrollers/finalizers"]),
    rule(["create", "delete", "list", "patch", "watch"], [""], ["pods"]),
    EVENTS_RULE,
  ],
  "resourcequota-controller": [
    rule(["list", "watch"], ["*"], ["*"]),
    rule(["update"], [""], ["resourcequotas/status"]),
    EVENTS_RULE,
  ],
  "root-ca-cert-publisher": [rule(["create", "update"], [""], ["configmaps"]), EVENTS_RULE],
  "service-account-controller": [rule(["create"], [""], ["serviceaccounts"]), EVENTS_RULE],
  "statefulset-controller": [
    rule(["list", "watch"], [""], ["pods"]),
    rule(READ, ["apps"], ["statefulsets"]),
    rule(["update"], ["apps"], ["statefulsets/status"]),
    rule(["update"], ["apps"], ["statefulsets/finalizers"]),
    rule(["create", "delete", "get", "patch", "update"], [""], ["pods"]),
    rule(["create", "delete", "get", "list", "patch", "update", "watch"], ["apps"], ["controllerrevisions"]),
    rule(["create", "delete", ...READ], [""], ["persistentvolumeclaims"]),
    EVENTS_RULE,
  ],
  "ttl-after-finished-controller": [rule(["delete", ...READ], ["batch"], ["jobs"]), EVENTS_RULE],
  "ttl-controller": [rule(["list", "patch", "update", "watch"], [""], ["nodes"]), EVENTS_RULE],
};
