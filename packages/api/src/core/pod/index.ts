import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { Pod } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { podColumns } from "./columns.ts";
import { setPodDefaults } from "./pod-defaults.ts";
import {
  POD_SELECTABLE_FIELDS,
  podGracePeriodSeconds,
  podSelectableFields,
  preparePodForCreate,
  preparePodForUpdate,
} from "./strategy.ts";
import { validatePod, validatePodUpdate } from "./validate-pod.ts";
import { preparePodStatusForUpdate, validatePodStatusUpdate } from "./validate-status.ts";
import { warningsForPod } from "./warnings.ts";

/** One or more containers that run together on one node. */
export const pods: ResourceDefinition<Pod> = {
  group: "",
  version: "v1",
  kind: "Pod",
  resource: "pods",
  singular: "pod",
  listKind: "PodList",
  namespaced: true,
  shortNames: ["po"],
  categories: ["all"],
  schema: builtinSchema("core.v1.Pod"),
  defaults: setPodDefaults,
  strategy: {
    repeatsMetadataChecks: true,
    hasGeneration: true,
    returnsDeletedObject: true,
    gracePeriodSeconds: podGracePeriodSeconds,
    prepareForCreate: preparePodForCreate,
    prepareForUpdate: preparePodForUpdate,
    validate: validatePod,
    validateUpdate: validatePodUpdate,
    warningsOnCreate: warningsForPod,
  },
  status: { prepareForUpdate: preparePodStatusForUpdate, validateUpdate: validatePodStatusUpdate },
  columns: podColumns,
  // Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, podSuccessConditions and podFailedConditions.
  rowConditions: ({ status }) => {
    if (status?.phase === "Succeeded") {
      const message = "The pod has completed successfully.";
      return [{ type: "Completed", status: "True", reason: "Succeeded", message }];
    }
    if (status?.phase !== "Failed") return [];
    return [{ type: "Completed", status: "True", reason: "Failed", message: "The pod failed." }];
  },
  selectableFieldNames: POD_SELECTABLE_FIELDS,
  selectableFields: podSelectableFields,
};
