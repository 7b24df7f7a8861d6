import { matchesNodeSelectorTerm, matchesRequiredNodeAffinity } from "@binnacle/api";
import { normalizeScores, type Plugin, unresolvable } from "../../framework/framework.ts";

/**
 * The node must match the pod's node selector and required affinity; preferred terms add to the score.
 *
 * Source: kubernetes v1.36 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go.
 */
export const nodeAffinity: Plugin = {
  name: "NodeAffinity",
  weight: 2,
  filter(pod, node) {
    if (matchesRequiredNodeAffinity(pod.spec, node.node)) return undefined;
    return unresolvable("node(s) didn't match Pod's node affinity/selector");
  },
  score(pod, node) {
    const preferred = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return preferred.reduce(
      (sum, { weight, preference }) => sum + (matchesNodeSelectorTerm(preference, node.node) ? weight : 0),
      0,
    );
  },
  normalize: (scores) => normalizeScores(scores, false),
};
