import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn, wide } from "../../column-builders.ts";
import { containerColumns, formatSelector } from "../../core/pod/template-columns.ts";
import {
  warningsForPodNames,
  warningsForPodTemplate,
  warningsForTemplateUpdate,
} from "../../core/pod/warnings.ts";
import type { ReplicaSet } from "../../generated/apps-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setReplicaSetDefaults } from "./defaults.ts";
import { validateReplicaSet, validateReplicaSetStatus, validateReplicaSetUpdate } from "./validation.ts";

/** Keeps a number of equal pods running. */
export const replicaSets: ResourceDefinition<ReplicaSet> = {
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  resource: "replicasets",
  singular: "replicaset",
  listKind: "ReplicaSetList",
  namespaced: true,
  shortNames: ["rs"],
  categories: ["all"],
  schema: builtinSchema("apps.v1.ReplicaSet"),
  defaults: setReplicaSetDefaults,
  strategy: {
    hasGeneration: true,
    prepareForCreate: (replicaSet) => {
      replicaSet.status = { replicas: 0 };
    },
    validate: validateReplicaSet,
    validateUpdate: validateReplicaSetUpdate,
    warningsOnCreate: ({ metadata, spec }) => [
      ...warningsForPodNames(metadata.name ?? ""),
      ...warningsForPodTemplate(spec.template, "spec.template"),
    ],
    warningsOnUpdate: warningsForTemplateUpdate,
  },
  status: { validateUpdate: validateReplicaSetStatus },
  scale: {
    specReplicasPath: "spec.replicas",
    statusReplicasPath: "status.replicas",
    labelSelectorPath: "spec.selector",
  },
  columns: columnsFor<ReplicaSet>("replicasets", [
    nameColumn,
    integer("Desired", ({ spec }) => spec.replicas ?? 0),
    integer("Current", ({ status }) => status?.replicas ?? 0),
    integer("Ready", ({ status }) => status?.readyReplicas ?? 0),
    ageColumn,
    ...containerColumns<ReplicaSet>(({ spec }) => spec.template, 1),
    wide("Selector", ({ spec }) => formatSelector(spec.selector)),
  ]),
  selectableFieldNames: ["status.replicas"],
  selectableFields: ({ status }) => ({ "status.replicas": String(status?.replicas ?? 0) }),
};
