import type { ResourceDefinition } from "@binnacle/apimachinery";
import { columnsFor, formatLabels, nameColumn, text } from "../../column-builders.ts";
import type { PodTemplate } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setPodTemplateDefaults } from "../pod/pod-spec-defaults.ts";
import { validatePodTemplateSpec } from "../pod/template.ts";
import { containerColumns } from "../pod/template-columns.ts";
import { warningsForPodTemplate } from "../pod/warnings.ts";

/** A pod template that stands alone. */
export const podTemplates: ResourceDefinition<PodTemplate> = {
  group: "",
  version: "v1",
  kind: "PodTemplate",
  resource: "podtemplates",
  singular: "podtemplate",
  listKind: "PodTemplateList",
  namespaced: true,
  schema: builtinSchema("core.v1.PodTemplate"),
  defaults: (podTemplate) => {
    podTemplate.template = setPodTemplateDefaults(podTemplate.template);
  },
  strategy: {
    hasGeneration: true,
    validate: ({ template }) => validatePodTemplateSpec(template, "template"),
    warningsOnCreate: ({ template }) => warningsForPodTemplate(template, "template"),
    warningsOnUpdate: (updated, old) =>
      updated.metadata.generation === old.metadata.generation
        ? []
        : warningsForPodTemplate(updated.template, "template"),
  },
  columns: columnsFor<PodTemplate>("podtemplates", [
    nameColumn,
    ...containerColumns<PodTemplate>(({ template }) => template, 0),
    text("Pod Labels", ({ template }) => formatLabels(template?.metadata?.labels)),
  ]),
};
