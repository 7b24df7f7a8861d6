import type { DaemonSet, NodeSelector, Pod } from "@binnacle/api";
import { podFromTemplate } from "../../pod-control/pod-from-template.ts";
import { daemonSets } from "../../resource-types.ts";
import { daemonTolerations } from "./node-fit.ts";

export const REVISION_LABEL = "controller-revision-hash";
/** Older than revisions, and still written. */
const GENERATION_LABEL = "pod-template-generation";
const GENERATION_ANNOTATION = "deprecated.daemonset.template.generation";

/** The pod for one node: the scheduler can put it nowhere else. */
export function daemonPod(set: DaemonSet, nodeName: string, hash: string): Pod {
  const pod = podFromTemplate(set.spec.template, { type: daemonSets, object: set });
  const generation = set.metadata.annotations?.[GENERATION_ANNOTATION];
  return {
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
        [REVISION_LABEL]: hash,
      },
    },
    spec: {
      ...pod.spec,
      affinity: { ...pod.spec.affinity, nodeAffinity: onNode(pod, nodeName) },
      tolerations: daemonTolerations(pod.spec),
    },
  };
}

/** Every term of the required affinity is narrowed to the node. */
function onNode(
  { spec }: Pod,
  nodeName: string,
): NonNullable<NonNullable<Pod["spec"]["affinity"]>["nodeAffinity"]> {
  const present = spec.affinity?.nodeAffinity;
  const matchFields = [{ key: "metadata.name", operator: "In", values: [nodeName] }];
  // The node was chosen by the terms already: only the name is left to be said.
  const required: NodeSelector = { nodeSelectorTerms: [{ matchFields }] };
  return { ...present, requiredDuringSchedulingIgnoredDuringExecution: required };
}

/** The node a daemon pod is on or is meant for. */
export function nodeOf(pod: Pod): string | undefined {
  if (pod.spec.nodeName !== undefined && pod.spec.nodeName !== "") return pod.spec.nodeName;
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const term of required?.nodeSelectorTerms ?? []) {
    const field = term.matchFields?.find((each) => each.key === "metadata.name" && each.operator === "In");
    if (field?.values?.length === 1) return field.values[0];
  }
  return undefined;
}
