import type { Pod, ReplicaSet } from "@binnacle/api";
import { labelSelectorFromObject } from "@binnacle/apimachinery";
import { type ControllerDefinition, controllerOf, type ReconcileContext } from "@binnacle/controller-runtime";
import { isPodActive } from "../../pod-control/pod-state.ts";
import { pods, replicaSets } from "../../resource-types.ts";
import { replicaController } from "./replica-controller.ts";

/** Keeps the pods of ReplicaSets running. */
export const replicaSetController: ControllerDefinition = replicaController<ReplicaSet>({
  type: replicaSets,
  view: ({ spec, status }) => ({
    replicas: spec?.replicas ?? 1,
    minReadySeconds: spec?.minReadySeconds ?? 0,
    selector: labelSelectorFromObject(spec?.selector),
    template: spec?.template,
    status: status ?? { replicas: 0 },
  }),
  withStatus: (replicaSet, status) => ({ ...replicaSet, status }),
  countsTerminating: true,
  related: relatedPods,
  eventSource: "replicaset-controller",
});

/** The active pods of all ReplicaSets with the same controller: during a rollout they serve together. */
function relatedPods(replicaSet: ReplicaSet, { cache }: ReconcileContext): Pod[] {
  const controller = controllerOf(replicaSet);
  const siblings =
    controller === undefined
      ? [replicaSet]
      : cache
          .list(replicaSets, { index: ["owner", controller.uid] })
          .filter((each) => controllerOf(each)?.uid === controller.uid);
  const related = new Map<string, Pod>();
  for (const sibling of siblings) {
    const namespace = sibling.metadata.namespace ?? "";
    const selected = cache.list(pods, {
      namespace,
      labelSelector: labelSelectorFromObject(sibling.spec?.selector),
    });
    for (const pod of selected) if (isPodActive(pod)) related.set(pod.metadata.uid ?? "", pod);
  }
  return [...related.values()];
}
