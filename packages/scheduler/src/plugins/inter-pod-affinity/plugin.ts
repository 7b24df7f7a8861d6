import type { Pod, PodAffinityTerm } from "@binnacle/api";
import { labelSelectorFromObject, matchLabels } from "@binnacle/apimachinery";
import {
  MAX_SCORE,
  type Plugin,
  type PluginContext,
  unresolvable,
  unschedulable,
} from "../../framework/framework.ts";
import { type NodeInfo, requiredAntiAffinity } from "../../snapshot/node-info.ts";

/** Where pods that a term selects run: values of its topology key. */
interface Reach {
  readonly term: PodAffinityTerm;
  readonly domains: ReadonlySet<string>;
  readonly matchesItself: boolean;
}

interface AffinityState {
  readonly affinity: readonly Reach[];
  readonly antiAffinity: readonly Reach[];
  /** Domains that pods already there keep this pod out of: `key=value`. */
  readonly forbidden: ReadonlySet<string>;
}

/**
 * Runs pods next to, or away from, other pods.
 *
 * Source: kubernetes v1.36 pkg/scheduler/framework/plugins/interpodaffinity/{filtering,scoring}.go.
 */
export const interPodAffinity: Plugin = {
  name: "InterPodAffinity",
  weight: 2,
  preFilter: (pod, context) => ({ state: prepare(pod, context) }),
  filter(_pod, node, state) {
    const { affinity, antiAffinity, forbidden } = state as AffinityState; // The state that preFilter gave.
    for (const { term, domains, matchesItself } of affinity) {
      const domain = node.labels[term.topologyKey];
      // The first pod of a group that is attracted to itself may go anywhere.
      const isFirst = domains.size === 0 && matchesItself;
      if (domain === undefined || (!domains.has(domain) && !isFirst)) {
        return unresolvable("node(s) didn't match pod affinity rules");
      }
    }
    for (const { term, domains } of antiAffinity) {
      const domain = node.labels[term.topologyKey];
      if (domain !== undefined && domains.has(domain)) {
        return unschedulable("node(s) didn't match pod anti-affinity rules");
      }
    }
    if (forbidden.size === 0) return undefined;
    for (const [key, value] of Object.entries(node.labels)) {
      if (forbidden.has(`${key}=${value}`)) {
        return unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
      }
    }
    return undefined;
  },
  score(pod, node, _state, context) {
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
    const preferred = podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const avoided = podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    let score = 0;
    for (const { weight, podAffinityTerm } of preferred)
      if (reaches(podAffinityTerm, pod, node, context)) score += weight;
    for (const { weight, podAffinityTerm } of avoided)
      if (reaches(podAffinityTerm, pod, node, context)) score -= weight;
    return score;
  },
  normalize(scores) {
    const min = Math.min(...scores);
    const range = Math.max(...scores) - min;
    for (let i = 0; i < scores.length; i++)
      scores[i] = range === 0 ? 0 : Math.floor(((scores[i]! - min) * MAX_SCORE) / range);
  },
};

function prepare(pod: Pod, context: PluginContext): AffinityState {
  const { podAffinity } = pod.spec.affinity ?? {};
  const reach = (term: PodAffinityTerm): Reach => ({
    term,
    domains: domainsOf(term, pod, context),
    matchesItself: selects(term, pod, pod),
  });
  return {
    affinity: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(reach),
    antiAffinity: requiredAntiAffinity(pod).map(reach),
    forbidden: forbiddenDomains(pod, context),
  };
}

function domainsOf(term: PodAffinityTerm, pod: Pod, { snapshot }: PluginContext): Set<string> {
  const domains = new Set<string>();
  for (const node of snapshot.nodes()) {
    const domain = node.labels[term.topologyKey];
    if (domain === undefined || domains.has(domain)) continue;
    for (const other of node.pods.values()) {
      if (selects(term, pod, other)) {
        domains.add(domain);
        break;
      }
    }
  }
  return domains;
}

function forbiddenDomains(pod: Pod, { snapshot }: PluginContext): Set<string> {
  const forbidden = new Set<string>();
  for (const node of snapshot.nodes()) {
    for (const other of node.podsWithAntiAffinity.values()) {
      for (const term of requiredAntiAffinity(other)) {
        const domain = node.labels[term.topologyKey];
        if (domain !== undefined && selects(term, other, pod)) forbidden.add(`${term.topologyKey}=${domain}`);
      }
    }
  }
  return forbidden;
}

function reaches(term: PodAffinityTerm, pod: Pod, node: NodeInfo, { snapshot }: PluginContext): boolean {
  const domain = node.labels[term.topologyKey];
  if (domain === undefined) return false;
  for (const other of snapshot.nodes()) {
    if (other.labels[term.topologyKey] !== domain) continue;
    for (const candidate of other.pods.values()) if (selects(term, pod, candidate)) return true;
  }
  return false;
}

/** Whether a term of `owner` selects `pod`. Without namespaces it looks into the owner's own. */
function selects(term: PodAffinityTerm, owner: Pod, pod: Pod): boolean {
  const namespaces = term.namespaces ?? [];
  const isEverywhere =
    term.namespaceSelector !== undefined && Object.keys(term.namespaceSelector).length === 0;
  const home = pod.metadata.namespace ?? "";
  const isInReach =
    isEverywhere || (namespaces.length === 0 ? home === owner.metadata.namespace : namespaces.includes(home));
  return isInReach && matchLabels(labelSelectorFromObject(term.labelSelector), pod.metadata.labels);
}
