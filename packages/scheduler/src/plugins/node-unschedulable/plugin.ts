import { isTolerated } from "@binnacle/api";
import { type Plugin, unresolvable } from "../../framework/framework.ts";

/** Cordoned nodes take no new pods. Source: kubernetes v1.36 pkg/scheduler/framework/plugins/nodeunschedulable. */
export const nodeUnschedulable: Plugin = {
  name: "NodeUnschedulable",
  filter(pod, node) {
    if (node.node.spec?.unschedulable !== true) return undefined;
    const taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
    if (isTolerated(taint, pod.spec.tolerations ?? [])) return undefined;
    return unresolvable("node(s) were unschedulable");
  },
};
