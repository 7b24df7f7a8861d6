import { labelSelectorFromObject } from "@binnacle/apimachinery";
import { type ControllerDefinition, controllerFor } from "@binnacle/controller-runtime";
import { indexOrphans } from "../../pod-control/orphan-index.ts";
import { enqueueSelecting } from "../../pod-control/selecting-owners.ts";
import { controllerRevisions, persistentVolumeClaims, pods, statefulSets } from "../../resource-types.ts";
import { reconcileStatefulSet } from "./reconcile.ts";

/** Keeps the pods of StatefulSets, each with its name and its claims. */
export const statefulSetController: ControllerDefinition = controllerFor(statefulSets)
  .owns(pods)
  .watches(
    pods,
    enqueueSelecting(statefulSets, ({ spec }) => labelSelectorFromObject(spec.selector)),
  )
  .reads(persistentVolumeClaims, controllerRevisions)
  .withOptions({ concurrency: 5, eventSource: "statefulset-controller" })
  .setup(({ cache }) => {
    indexOrphans(cache);
    return { reconcile: reconcileStatefulSet };
  });
