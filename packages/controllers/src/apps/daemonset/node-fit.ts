/**
 * Which nodes a DaemonSet's pods belong on: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod.
 */
import {
  isTolerated,
  matchesRequiredNodeAffinity,
  type Node,
  type PodSpec,
  type Toleration,
} from "@binnacle/api";

/** Pods of a DaemonSet stay on nodes in these states. Source: pkg/controller/daemon/util/daemonset_util.go. */
const DAEMON_TOLERATIONS: readonly Toleration[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
];
const HOST_NETWORK_TOLERATION: Toleration = {
  key: "node.kubernetes.io/network-unavailable",
  operator: "Exists",
  effect: "NoSchedule",
};

/** The pod's tolerations with those that every daemon has. */
export function daemonTolerations(spec: PodSpec): Toleration[] {
  const tolerations = [...(spec.tolerations ?? [])];
  const added =
    spec.hostNetwork === true ? [...DAEMON_TOLERATIONS, HOST_NETWORK_TOLERATION] : DAEMON_TOLERATIONS;
  for (const each of added) {
    const at = tolerations.findIndex(
      ({ key, operator, effect, value }) =>
        key === each.key && effect === each.effect && operator === each.operator && value === each.value,
    );
    if (at < 0) tolerations.push(each);
    else tolerations[at] = each;
  }
  return tolerations;
}

/** Whether a pod of this spec should be made for the node, and whether one that is there may stay. */
export function fitsNode(spec: PodSpec, node: Node): { shouldRun: boolean; mayStay: boolean } {
  if (spec.nodeName !== undefined && spec.nodeName !== "" && spec.nodeName !== node.metadata.name)
    return { shouldRun: false, mayStay: false };
  if (!matchesRequiredNodeAffinity(spec, node)) return { shouldRun: false, mayStay: false };
  const tolerations = daemonTolerations(spec);
  const untolerated = (node.spec?.taints ?? []).filter(
    (taint) => taint.effect !== "PreferNoSchedule" && !isTolerated(taint, tolerations),
  );
  return {
    shouldRun: untolerated.length === 0,
    mayStay: !untolerated.some((taint) => taint.effect === "NoExecute"),
  };
}
