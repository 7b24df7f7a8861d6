import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { ValidatingAdmissionPolicyBinding } from "../../generated/admissionregistration-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { paramRefColumn } from "../param-ref-column.ts";
import { validateValidatingBinding } from "../policy-validation.ts";
import { setMatchResourcesDefaults } from "../rule-validation.ts";

/** Where a validating policy applies, and with what parameters. */
export const validatingAdmissionPolicyBindings: ResourceDefinition<ValidatingAdmissionPolicyBinding> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicyBinding",
  resource: "validatingadmissionpolicybindings",
  singular: "validatingadmissionpolicybinding",
  listKind: "ValidatingAdmissionPolicyBindingList",
  namespaced: false,
  categories: ["api-extensions"],
  schema: builtinSchema("admissionregistration.v1.ValidatingAdmissionPolicyBinding"),
  // Source: kubernetes v1.36 pkg/apis/admissionregistration/v1/defaults.go.
  defaults: ({ spec }) => {
    setMatchResourcesDefaults(spec?.matchResources);
  },
  strategy: {
    hasGeneration: true,
    validate: validateValidatingBinding,
  },
  columns: columnsFor<ValidatingAdmissionPolicyBinding>("validatingadmissionpolicybindings", [
    nameColumn,
    text("PolicyName", ({ spec }) => spec?.policyName ?? ""),
    paramRefColumn,
    ageColumn,
  ]),
};
