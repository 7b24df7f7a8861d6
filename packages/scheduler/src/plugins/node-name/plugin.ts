import { type Plugin, unresolvable } from "../../framework/framework.ts";

/** A pod may name its node. Source: kubernetes v1.36 pkg/scheduler/framework/plugins/nodename/node_name.go. */
export const nodeName: Plugin = {
  name: "NodeName",
  filter(pod, node) {
    const wanted = pod.spec.nodeName ?? "";
    if (wanted === "" || wanted === node.name) return undefined;
    return unresolvable("node(s) didn't match the requested node name");
  },
};
