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
  selectableFieldNames: POD_SELECTABLE_FIELDS,
  selectableFields: podSelectableFields,
};
