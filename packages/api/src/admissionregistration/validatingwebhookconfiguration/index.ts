import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn } from "../../column-builders.ts";
import type { ValidatingWebhookConfiguration } from "../../generated/admissionregistration-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setWebhookDefaults, validateWebhooks } from "../webhook-validation.ts";

/** Webhooks that may refuse what is written. */
export const validatingWebhookConfigurations: ResourceDefinition<ValidatingWebhookConfiguration> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  resource: "validatingwebhookconfigurations",
  singular: "validatingwebhookconfiguration",
  listKind: "ValidatingWebhookConfigurationList",
  namespaced: false,
  categories: ["api-extensions"],
  schema: builtinSchema("admissionregistration.v1.ValidatingWebhookConfiguration"),
  defaults: ({ webhooks }) => {
    setWebhookDefaults(webhooks);
  },
  strategy: {
    hasGeneration: true,
    validate: ({ webhooks }) => validateWebhooks(webhooks ?? [], { isMutating: false }),
  },
  columns: columnsFor<ValidatingWebhookConfiguration>("validatingwebhookconfigurations", [
    nameColumn,
    integer("Webhooks", ({ webhooks }) => (webhooks ?? []).length),
    ageColumn,
  ]),
};
