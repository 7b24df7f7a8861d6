import { isTolerated } from "@binnacle/api";
import { normalizeScores, type Plugin, unresolvable } from "../../framework/framework.ts";

/**
 * The pod must tolerate the node's taints; taints that only ask to be avoided lower the score.
 *
 * Source: kubernetes v1.36 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go.
 */
export const taintToleration: Plugin = {
  name: "TaintToleration",
  weight: 3,
  filter(pod, node) {
    const tolerations = pod.spec.tolerations ?? [];
    const taint = (node.node.spec?.taints ?? []).find(
      ({ effect, ...rest }) =>
        effect !== "PreferNoSchedule" && !isTolerated({ effect, ...rest }, tolerations),
    );
    if (taint === undefined) return undefined;
    return unresolvable(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ""}}`);
  },
  score(pod, node) {
    const tolerations = (pod.spec.tolerations ?? []).filter(
      ({ effect = "" }) => effect === "" || effect === "PreferNoSchedule",
    );
    const taints = node.node.spec?.taints ?? [];
    return taints.filter((taint) => taint.effect === "PreferNoSchedule" && !isTolerated(taint, tolerations))
      .length;
  },
  normalize: (scores) => normalizeScores(scores, true),
};
