import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn, text } from "../../column-builders.ts";
import type { ValidatingAdmissionPolicy } from "../../generated/admissionregistration-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateValidatingPolicy } from "../policy-validation.ts";
import { setMatchResourcesDefaults } from "../rule-validation.ts";

/** Expressions that may refuse what is written. */
export const validatingAdmissionPolicies: ResourceDefinition<ValidatingAdmissionPolicy> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicy",
  resource: "validatingadmissionpolicies",
  singular: "validatingadmissionpolicy",
  listKind: "ValidatingAdmissionPolicyList",
  namespaced: false,
  categories: ["api-extensions"],
  schema: builtinSchema("admissionregistration.v1.ValidatingAdmissionPolicy"),
  // Source: kubernetes v1.36 pkg/apis/admissionregistration/v1/defaults.go.
  defaults: ({ spec }) => {
    if (spec === undefined) return;
    spec.failurePolicy ??= "Fail";
    setMatchResourcesDefaults(spec.matchConstraints);
  },
  strategy: {
    hasGeneration: true,
    prepareForCreate: (policy) => {
      policy.status = {};
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validateValidatingPolicy,
  },
  status: {},
  columns: columnsFor<ValidatingAdmissionPolicy>("validatingadmissionpolicies", [
    nameColumn,
    integer("Validations", ({ spec }) => (spec?.validations ?? []).length),
    text("ParamKind", ({ spec }) => {
      const kind = spec?.paramKind;
      return kind === undefined ? "<unset>" : `${kind.apiVersion ?? ""}/${kind.kind ?? ""}`;
    }),
    ageColumn,
  ]),
};
