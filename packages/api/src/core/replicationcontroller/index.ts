import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, formatLabels, integer, nameColumn, wide } from "../../column-builders.ts";
import type { ReplicationController } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { containerColumns } from "../pod/template-columns.ts";
import { warningsForPodNames, warningsForPodTemplate, warningsForTemplateUpdate } from "../pod/warnings.ts";
import { setReplicationControllerDefaults } from "./defaults.ts";
import { validateReplicationController, validateReplicationControllerStatus } from "./validation.ts";

/** Keeps a number of equal pods running; what ReplicaSets replaced. */
export const replicationControllers: ResourceDefinition<ReplicationController> = {
  group: "",
  version: "v1",
  kind: "ReplicationController",
  resource: "replicationcontrollers",
  singular: "replicationcontroller",
  listKind: "ReplicationControllerList",
  namespaced: true,
  shortNames: ["rc"],
  categories: ["all"],
  schema: builtinSchema("core.v1.ReplicationController"),
  defaults: setReplicationControllerDefaults,
  strategy: {
    hasGeneration: true,
    defaultPropagation: "orphan",
    prepareForCreate: (controller) => {
      controller.status = { replicas: 0 };
    },
    validate: validateReplicationController,
    warningsOnCreate: ({ metadata, spec }) => [
      ...warningsForPodNames(metadata.name ?? ""),
      ...warningsForPodTemplate(spec?.template, "spec.template"),
    ],
    warningsOnUpdate: warningsForTemplateUpdate,
  },
  status: { validateUpdate: validateReplicationControllerStatus },
  scale: {
    specReplicasPath: "spec.replicas",
    statusReplicasPath: "status.replicas",
    labelSelectorPath: "spec.selector",
  },
  columns: columnsFor<ReplicationController>("replicationcontrollers", [
    nameColumn,
    integer("Desired", ({ spec }) => spec?.replicas ?? 0),
    integer("Current", ({ status }) => status?.replicas ?? 0),
    integer("Ready", ({ status }) => status?.readyReplicas ?? 0),
    ageColumn,
    ...containerColumns<ReplicationController>(({ spec }) => spec?.template, 1),
    wide("Selector", ({ spec }) => formatLabels(spec?.selector)),
  ]),
  selectableFieldNames: ["status.replicas"],
  selectableFields: ({ status }) => ({ "status.replicas": String(status?.replicas ?? 0) }),
};
