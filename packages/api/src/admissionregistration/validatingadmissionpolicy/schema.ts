import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "admissionregistration.v1": {
    ValidatingAdmissionPolicySpec: {
      matchConditions: "map(name) merge(name)",
      variables: "map(name) merge(name)",
      failurePolicy: "pointer",
    },
    ValidatingAdmissionPolicyStatus: {
      conditions: "map(type)",
    },
    Validation: {
      reason: "pointer",
    },
  },
};
