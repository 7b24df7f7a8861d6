import type { Node } from "@binnacle/api";
import type { AdmissionPlugin } from "@binnacle/apiserver";

/** Source: kubernetes v1.36 plugin/pkg/admission/nodetaint/admission.go. */
const NOT_READY = "node.kubernetes.io/not-ready";

/** A new node takes no pods until it has said that it is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  operations: ["CREATE"],
  mutate({ served, subresource, object }) {
    if (served.group !== "" || served.resource !== "nodes" || subresource !== "" || object === undefined)
      return;
    const node = object as unknown as Node; // Decoded as a Node.
    node.spec ??= {};
    const taints = node.spec.taints ?? [];
    if (taints.some((taint) => taint.key === NOT_READY && taint.effect === "NoSchedule")) return;
    node.spec.taints = [...taints, { key: NOT_READY, effect: "NoSchedule" }];
  },
};
