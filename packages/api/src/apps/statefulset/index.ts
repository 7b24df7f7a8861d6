import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import { containerColumns } from "../../core/pod/template-columns.ts";
import { warningsForPodTemplate, warningsForTemplateUpdate } from "../../core/pod/warnings.ts";
import type { StatefulSet, StatefulSetSpec } from "../../generated/apps-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setStatefulSetDefaults } from "./defaults.ts";
import { validateStatefulSet, validateStatefulSetStatus, validateStatefulSetUpdate } from "./validation.ts";

/** Keeps pods that each have a name and volumes of their own. */
export const statefulSets: ResourceDefinition<StatefulSet> = {
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  resource: "statefulsets",
  singular: "statefulset",
  listKind: "StatefulSetList",
  namespaced: true,
  shortNames: ["sts"],
  categories: ["all"],
  schema: builtinSchema("apps.v1.StatefulSet"),
  defaults: setStatefulSetDefaults,
  strategy: {
    hasGeneration: true,
    nameFormat: "dnsLabel",
    prepareForCreate: (statefulSet) => {
      statefulSet.status = { replicas: 0 };
    },
    validate: validateStatefulSet,
    validateUpdate: validateStatefulSetUpdate,
    warningsOnCreate: ({ spec }) => [
      ...warningsForPodTemplate(spec.template, "spec.template"),
      ...warningsForHistory(spec),
    ],
    warningsOnUpdate: (updated, old) => [
      ...warningsForTemplateUpdate(updated, old),
      ...warningsForHistory(updated.spec),
    ],
  },
  status: { validateUpdate: validateStatefulSetStatus },
  scale: {
    specReplicasPath: "spec.replicas",
    statusReplicasPath: "status.replicas",
    labelSelectorPath: "spec.selector",
  },
  columns: columnsFor<StatefulSet>("statefulsets", [
    nameColumn,
    text("Ready", ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`),
    ageColumn,
    ...containerColumns<StatefulSet>(({ spec }) => spec.template, 1),
  ]),
};

/** Source: kubernetes v1.36 pkg/registry/apps/statefulset/strategy.go, WarningsOnCreate. */
function warningsForHistory({ revisionHistoryLimit = 0 }: StatefulSetSpec): string[] {
  if (revisionHistoryLimit >= 0) return [];
  const why = "a negative value retains all historical revisions; a value >= 0 is recommended";
  return [`spec.revisionHistoryLimit: ${why}`];
}
