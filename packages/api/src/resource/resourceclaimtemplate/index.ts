import { type FieldError, goForm, invalid, type ResourceDefinition } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { ageColumn, columnsFor, nameColumn } from "../../column-builders.ts";
import type { ResourceClaimTemplate } from "../../generated/resource-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setDeviceClaimDefaults, validateDeviceClaim } from "../resourceclaim/validation.ts";

/** What claims are made from, one for each pod. */
export const resourceClaimTemplates: ResourceDefinition<ResourceClaimTemplate> = {
  group: "resource.k8s.io",
  version: "v1",
  kind: "ResourceClaimTemplate",
  resource: "resourceclaimtemplates",
  singular: "resourceclaimtemplate",
  listKind: "ResourceClaimTemplateList",
  namespaced: true,
  schema: builtinSchema("resource.v1.ResourceClaimTemplate"),
  defaults: ({ spec }) => setDeviceClaimDefaults(spec.spec.devices),
  strategy: {
    returnsDeletedObject: true,
    validate: ({ spec }) => validateDeviceClaim(spec.spec.devices ?? {}, "spec.spec.devices"),
    validateUpdate,
  },
  columns: columnsFor<ResourceClaimTemplate>("resourceclaimtemplates", [nameColumn, ageColumn]),
};

/** Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, ValidateResourceClaimTemplateUpdate. */
function validateUpdate(updated: ResourceClaimTemplate, old: ResourceClaimTemplate): FieldError[] {
  if (jsonEquals(updated.spec, old.spec)) return [];
  const shown = goForm(builtinSchema("resource.v1.ResourceClaimTemplateSpec"), updated.spec);
  return [invalid("spec", shown, "field is immutable")];
}
