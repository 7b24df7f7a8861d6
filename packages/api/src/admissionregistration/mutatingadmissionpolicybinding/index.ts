import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { MutatingAdmissionPolicyBinding } from "../../generated/admissionregistration-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { paramRefColumn } from "../param-ref-column.ts";
import { validateMutatingBinding } from "../policy-validation.ts";
import { setMatchResourcesDefaults } from "../rule-validation.ts";

/** Where a mutating policy applies, and with what parameters. */
export const mutatingAdmissionPolicyBindings: ResourceDefinition<MutatingAdmissionPolicyBinding> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "MutatingAdmissionPolicyBinding",
  resource: "mutatingadmissionpolicybindings",
  singular: "mutatingadmissionpolicybinding",
  listKind: "MutatingAdmissionPolicyBindingList",
  namespaced: false,
  categories: ["api-extensions"],
  schema: builtinSchema("admissionregistration.v1.MutatingAdmissionPolicyBinding"),
  // Source: kubernetes v1.36 pkg/apis/admissionregistration/v1/defaults.go.
  defaults: ({ spec }) => {
    setMatchResourcesDefaults(spec?.matchResources);
  },
  strategy: {
    hasGeneration: true,
    validate: validateMutatingBinding,
  },
  columns: columnsFor<MutatingAdmissionPolicyBinding>("mutatingadmissionpolicybindings", [
    nameColumn,
    text("PolicyName", ({ spec }) => spec?.policyName ?? ""),
    paramRefColumn,
    ageColumn,
  ]),
};
