import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn } from "../../column-builders.ts";
import type { MutatingWebhookConfiguration } from "../../generated/admissionregistration-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setWebhookDefaults, validateWebhooks } from "../webhook-validation.ts";

/** Webhooks that may change what is written. */
export const mutatingWebhookConfigurations: ResourceDefinition<MutatingWebhookConfiguration> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "MutatingWebhookConfiguration",
  resource: "mutatingwebhookconfigurations",
  singular: "mutatingwebhookconfiguration",
  listKind: "MutatingWebhookConfigurationList",
  namespaced: false,
  categories: ["api-extensions"],
  schema: builtinSchema("admissionregistration.v1.MutatingWebhookConfiguration"),
  defaults: ({ webhooks }) => {
    setWebhookDefaults(webhooks);
    for (const hook of webhooks ?? []) hook.reinvocationPolicy ??= "Never";
  },
  strategy: {
    hasGeneration: true,
    validate: ({ webhooks }) => validateWebhooks(webhooks ?? [], { isMutating: true }),
  },
  columns: columnsFor<MutatingWebhookConfiguration>("mutatingwebhookconfigurations", [
    nameColumn,
    integer("Webhooks", ({ webhooks }) => (webhooks ?? []).length),
    ageColumn,
  ]),
};
