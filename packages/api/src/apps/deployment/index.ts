import type { ResourceDefinition } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { ageColumn, columnsFor, integer, nameColumn, text, wide } from "../../column-builders.ts";
import { containerColumns, formatSelector } from "../../core/pod/template-columns.ts";
import {
  warningsForPodNames,
  warningsForPodTemplate,
  warningsForTemplateUpdate,
} from "../../core/pod/warnings.ts";
import type { Deployment } from "../../generated/apps-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setDeploymentDefaults } from "./defaults.ts";
import { validateDeployment, validateDeploymentStatus, validateDeploymentUpdate } from "./validation.ts";

/** Keeps a number of equal pods running, and replaces them step by step when their template changes. */
export const deployments: ResourceDefinition<Deployment> = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  resource: "deployments",
  singular: "deployment",
  listKind: "DeploymentList",
  namespaced: true,
  shortNames: ["deploy"],
  categories: ["all"],
  schema: builtinSchema("apps.v1.Deployment"),
  defaults: setDeploymentDefaults,
  strategy: {
    hasGeneration: true,
    prepareForCreate: prepareDeploymentForCreate,
    prepareForUpdate: prepareDeploymentForUpdate,
    validate: validateDeployment,
    validateUpdate: validateDeploymentUpdate,
    warningsOnCreate: ({ metadata, spec }) => [
      ...warningsForPodNames(metadata.name ?? ""),
      ...warningsForPodTemplate(spec.template, "spec.template"),
    ],
    warningsOnUpdate: warningsForTemplateUpdate,
  },
  status: { validateUpdate: validateDeploymentStatus },
  scale: {
    specReplicasPath: "spec.replicas",
    statusReplicasPath: "status.replicas",
    labelSelectorPath: "spec.selector",
  },
  columns: columnsFor<Deployment>("deployments", [
    nameColumn,
    text("Ready", ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`),
    integer("Up-to-date", ({ status }) => status?.updatedReplicas ?? 0),
    integer("Available", ({ status }) => status?.availableReplicas ?? 0),
    ageColumn,
    ...containerColumns<Deployment>(({ spec }) => spec.template, 1),
    wide("Selector", ({ spec }) => formatSelector(spec.selector)),
  ]),
};

/** Source: kubernetes v1.36 pkg/registry/apps/deployment/strategy.go, PrepareForCreate. */
function prepareDeploymentForCreate(deployment: Deployment): void {
  deployment.status = {};
}

/**
 * Annotations count as part of the spec: they are copied to the ReplicaSets.
 *
 * Source: kubernetes v1.36 pkg/registry/apps/deployment/strategy.go, PrepareForUpdate.
 */
function prepareDeploymentForUpdate(updated: Deployment, old: Deployment): void {
  if (!jsonEquals(updated.metadata.annotations ?? {}, old.metadata.annotations ?? {})) {
    updated.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
}
