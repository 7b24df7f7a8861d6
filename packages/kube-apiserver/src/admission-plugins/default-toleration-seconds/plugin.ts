import type { Pod, Toleration } from "@binnacle/api";
import type { AdmissionPlugin } from "@binnacle/apiserver";

/** Source: kubernetes v1.36 plugin/pkg/admission/defaulttolerationseconds/admission.go. */
const SECONDS = 300;
const TAINTS = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] as const;

/** Lets a pod stay five minutes on a node that is not ready or cannot be reached, unless it says otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  operations: ["CREATE", "UPDATE"],
  mutate({ served, subresource, object }) {
    if (served.group !== "" || served.resource !== "pods" || subresource !== "" || object === undefined)
      return;
    const pod = object as unknown as Pod; // Decoded as a Pod.
    const tolerations: Toleration[] = pod.spec.tolerations ?? [];
    const added: Toleration[] = [];
    for (const key of TAINTS) {
      if (tolerations.some((toleration) => toleratesNoExecute(toleration, key))) continue;
      added.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: SECONDS });
    }
    if (added.length > 0) pod.spec.tolerations = [...tolerations, ...added];
  },
};

function toleratesNoExecute(toleration: Toleration, key: string): boolean {
  const { key: own = "", effect = "" } = toleration;
  return (own === key || own === "") && (effect === "NoExecute" || effect === "");
}
