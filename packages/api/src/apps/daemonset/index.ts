import type { ResourceDefinition } from "@binnacle/apimachinery";
import {
  ageColumn,
  columnsFor,
  formatLabels,
  integer,
  nameColumn,
  text,
  wide,
} from "../../column-builders.ts";
import { containerColumns, formatSelector } from "../../core/pod/template-columns.ts";
import { warningsForPodTemplate, warningsForTemplateUpdate } from "../../core/pod/warnings.ts";
import type { DaemonSet } from "../../generated/apps-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setDaemonSetDefaults } from "./defaults.ts";
import { prepareDaemonSetForCreate, prepareDaemonSetForUpdate } from "./strategy.ts";
import { validateDaemonSet, validateDaemonSetStatus, validateDaemonSetUpdate } from "./validation.ts";

/** Keeps one pod on each node, or on each of some nodes. */
export const daemonSets: ResourceDefinition<DaemonSet> = {
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  resource: "daemonsets",
  singular: "daemonset",
  listKind: "DaemonSetList",
  namespaced: true,
  shortNames: ["ds"],
  categories: ["all"],
  schema: builtinSchema("apps.v1.DaemonSet"),
  defaults: setDaemonSetDefaults,
  strategy: {
    hasGeneration: true,
    prepareForCreate: prepareDaemonSetForCreate,
    prepareForUpdate: prepareDaemonSetForUpdate,
    validate: validateDaemonSet,
    validateUpdate: validateDaemonSetUpdate,
    warningsOnCreate: ({ spec }) => warningsForPodTemplate(spec.template, "spec.template"),
    warningsOnUpdate: warningsForTemplateUpdate,
  },
  status: { validateUpdate: validateDaemonSetStatus },
  columns: columnsFor<DaemonSet>("daemonsets", [
    nameColumn,
    integer("Desired", ({ status }) => status?.desiredNumberScheduled ?? 0),
    integer("Current", ({ status }) => status?.currentNumberScheduled ?? 0),
    integer("Ready", ({ status }) => status?.numberReady ?? 0),
    integer("Up-to-date", ({ status }) => status?.updatedNumberScheduled ?? 0),
    integer("Available", ({ status }) => status?.numberAvailable ?? 0),
    text("Node Selector", ({ spec }) => formatLabels(spec.template?.spec?.nodeSelector)),
    ageColumn,
    ...containerColumns<DaemonSet>(({ spec }) => spec.template, 1),
    wide("Selector", ({ spec }) => formatSelector(spec.selector)),
  ]),
};
