import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "admissionregistration.v1": {
    MatchResources: {
      ".": "atomic",
      matchPolicy: "pointer",
    },
    MutatingAdmissionPolicySpec: {
      matchConditions: "map(name) merge(name)",
      failurePolicy: "pointer",
    },
    NamedRuleWithOperations: {
      ".": "atomic",
      scope: "pointer",
    },
    ParamKind: {
      ".": "atomic",
    },
    Variable: {
      ".": "atomic",
    },
  },
};
