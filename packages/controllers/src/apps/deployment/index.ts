import type { Pod } from "@binnacle/api";
import { labelSelectorFromObject, matchLabels } from "@binnacle/apimachinery";
import { keyOf } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerFor,
  controllerOf,
  deleted,
  enqueueMapped,
} from "@binnacle/controller-runtime";
import { deployments, pods, replicaSets } from "../../resource-types.ts";
import { reconcileDeployment } from "./reconcile.ts";
import { isRollingUpdate } from "./rollout-limits.ts";

/** Rolls out the templates of Deployments by means of ReplicaSets. */
export const deploymentController: ControllerDefinition = controllerFor(deployments)
  .owns(replicaSets)
  .watches(
    replicaSets,
    enqueueMapped((replicaSet, { cache }) => {
      // Nobody's: a Deployment may want to adopt it.
      if (controllerOf(replicaSet) !== undefined) return [];
      return cache
        .list(deployments, { namespace: replicaSet.metadata.namespace ?? "" })
        .filter(({ spec }) => matchLabels(labelSelectorFromObject(spec.selector), replicaSet.metadata.labels))
        .map(keyOf);
    }),
  )
  .watches<Pod>(
    pods,
    enqueueMapped((pod, { cache }) => {
      // Recreating waits for the last old pod to be gone.
      const owner = controllerOf(pod);
      if (owner?.kind !== "ReplicaSet") return [];
      const namespace = pod.metadata.namespace ?? "";
      const replicaSet = cache.get(replicaSets, { namespace, name: owner.name });
      const name = replicaSet === undefined ? undefined : controllerOf(replicaSet)?.name;
      const deployment = name === undefined ? undefined : cache.get(deployments, { namespace, name });
      return deployment === undefined || isRollingUpdate(deployment) ? [] : [keyOf(deployment)];
    }),
    deleted,
  )
  .withOptions({ concurrency: 5, eventSource: "deployment-controller" })
  .reconcile(reconcileDeployment);
