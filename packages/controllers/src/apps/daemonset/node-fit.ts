/**
 * Which nodes a DaemonSet's pods belong on: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod, and
 * component-helpers/scheduling/corev1/nodeaffinity.
 */
import type {
  Node,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodSpec,
  Taint,
  Toleration,
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
  if (!isSelected(spec, node)) return { shouldRun: false, mayStay: false };
  const tolerations = daemonTolerations(spec);
  const untolerated = (node.spec?.taints ?? []).filter(
    (taint) => taint.effect !== "PreferNoSchedule" && !tolerations.some((each) => tolerates(each, taint)),
  );
  return {
    shouldRun: untolerated.length === 0,
    mayStay: !untolerated.some((taint) => taint.effect === "NoExecute"),
  };
}

function isSelected({ nodeSelector = {}, affinity }: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  if (!Object.entries(nodeSelector).every(([key, value]) => labels[key] === value)) return false;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms === undefined || terms.some((term) => matchesTerm(term, node));
}

/** An empty term matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const labels = node.metadata.labels ?? {};
  return (
    matchExpressions.every((each) => matches(each, labels[each.key])) &&
    matchFields.every((each) => each.key === "metadata.name" && matches(each, node.metadata.name))
  );
}

function matches({ operator, values = [] }: NodeSelectorRequirement, found: unknown): boolean {
  // What a label map inherits is no string.
  const value = typeof found === "string" ? found : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt": {
      if (value === undefined || !/^-?\d+$/.test(value) || !/^-?\d+$/.test(values[0] ?? "")) return false;
      const difference = BigInt(value) - BigInt(values[0] ?? "0");
      return operator === "Gt" ? difference > 0n : difference < 0n;
    }
    default:
      return false;
  }
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = "", operator = "Equal", value = "", effect = "" } = toleration;
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (key === "" && operator !== "Exists") return false;
  return operator === "Exists" || value === (taint.value ?? "");
}
