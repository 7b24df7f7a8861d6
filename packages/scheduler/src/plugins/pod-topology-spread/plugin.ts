import type { Pod, TopologySpreadConstraint } from "@binnacle/api";
import { labelSelectorFromObject, matchLabels } from "@binnacle/apimachinery";
import {
  normalizeScores,
  type Plugin,
  type PluginContext,
  unresolvable,
  unschedulable,
} from "../../framework/framework.ts";
import type { NodeInfo } from "../../snapshot/node-info.ts";

interface Spread {
  readonly constraint: TopologySpreadConstraint;
  /** Matching pods by value of the topology key. */
  readonly counts: ReadonlyMap<string, number>;
  readonly matchesItself: boolean;
}

/**
 * Keeps the pods that a constraint selects evenly spread over zones, hosts or whatever its key names.
 *
 * Source: kubernetes v1.36 pkg/scheduler/framework/plugins/podtopologyspread/{filtering,scoring}.go.
 */
export const podTopologySpread: Plugin = {
  name: "PodTopologySpread",
  weight: 2,
  preFilter: (pod, context) => ({
    state: (pod.spec.topologySpreadConstraints ?? []).map((constraint) => measure(constraint, pod, context)),
  }),
  filter(_pod, node, state) {
    for (const { constraint, counts, matchesItself } of state as readonly Spread[]) {
      if (constraint.whenUnsatisfiable !== "DoNotSchedule") continue;
      const domain = node.labels[constraint.topologyKey];
      if (domain === undefined) {
        return unresolvable("node(s) didn't match pod topology spread constraints (missing required label)");
      }
      const least = counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...counts.values());
      const skew = (counts.get(domain) ?? 0) + (matchesItself ? 1 : 0) - least;
      if (skew > constraint.maxSkew)
        return unschedulable("node(s) didn't match pod topology spread constraints");
    }
    return undefined;
  },
  score(_pod, node, state) {
    let matching = 0;
    for (const { constraint, counts } of state as readonly Spread[]) {
      if (constraint.whenUnsatisfiable !== "ScheduleAnyway") continue;
      matching += counts.get(node.labels[constraint.topologyKey] ?? "") ?? 0;
    }
    return matching;
  },
  normalize: (scores) => normalizeScores(scores, true),
};

function measure(constraint: TopologySpreadConstraint, pod: Pod, { snapshot }: PluginContext): Spread {
  const selector = labelSelectorFromObject(withMatchLabelKeys(constraint, pod));
  const counts = new Map<string, number>();
  for (const node of snapshot.nodes()) {
    const domain = node.labels[constraint.topologyKey];
    if (domain === undefined) continue;
    counts.set(
      domain,
      (counts.get(domain) ?? 0) + countOn(node, pod, (labels) => matchLabels(selector, labels)),
    );
  }
  return { constraint, counts, matchesItself: matchLabels(selector, pod.metadata.labels) };
}

function countOn(
  node: NodeInfo,
  pod: Pod,
  isSelected: (labels: Pod["metadata"]["labels"]) => boolean,
): number {
  let count = 0;
  for (const other of node.pods.values()) {
    const isSameNamespace = other.metadata.namespace === pod.metadata.namespace;
    if (
      isSameNamespace &&
      other.metadata.deletionTimestamp === undefined &&
      isSelected(other.metadata.labels)
    )
      count++;
  }
  return count;
}

function withMatchLabelKeys(
  constraint: TopologySpreadConstraint,
  pod: Pod,
): TopologySpreadConstraint["labelSelector"] {
  const keys = constraint.matchLabelKeys ?? [];
  const labels = pod.metadata.labels ?? {};
  const own = Object.fromEntries(
    keys.filter((key) => Object.hasOwn(labels, key)).map((key) => [key, labels[key]!]),
  );
  if (Object.keys(own).length === 0) return constraint.labelSelector;
  return { ...constraint.labelSelector, matchLabels: { ...constraint.labelSelector?.matchLabels, ...own } };
}
