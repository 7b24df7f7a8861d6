import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn, text } from "../../column-builders.ts";
import type { MutatingAdmissionPolicy } from "../../generated/admissionregistration-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateMutatingPolicy } from "../policy-validation.ts";
import { setMatchResourcesDefaults } from "../rule-validation.ts";

/** Expressions that change what is written. */
export const mutatingAdmissionPolicies: ResourceDefinition<MutatingAdmissionPolicy> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "MutatingAdmissionPolicy",
  resource: "mutatingadmissionpolicies",
  singular: "mutatingadmissionpolicy",
  listKind: "MutatingAdmissionPolicyList",
  namespaced: false,
  categories: ["api-extensions"],
  schema: builtinSchema("admissionregistration.v1.MutatingAdmissionPolicy"),
  // Source: kubernetes v1.36 pkg/apis/admissionregistration/v1/defaults.go.
  defaults: ({ spec }) => {
    if (spec === undefined) return;
    spec.failurePolicy ??= "Fail";
    setMatchResourcesDefaults(spec.matchConstraints);
  },
  strategy: {
    hasGeneration: true,
    validate: validateMutatingPolicy,
  },
  columns: columnsFor<MutatingAdmissionPolicy>("mutatingadmissionpolicies", [
    nameColumn,
    integer("Mutations", ({ spec }) => (spec?.mutations ?? []).length),
    text("ParamKind", ({ spec }) => {
      const kind = spec?.paramKind;
      return kind === undefined ? "<unset>" : `${kind.apiVersion ?? ""}/${kind.kind ?? ""}`;
    }),
    ageColumn,
  ]),
};
