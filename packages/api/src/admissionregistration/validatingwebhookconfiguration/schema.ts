import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "admissionregistration.v1": {
    ValidatingWebhook: {
      matchConditions: "map(name) merge(name)",
      failurePolicy: "pointer",
      matchPolicy: "pointer",
      timeoutSeconds: "pointer",
      sideEffects: "null",
    },
    ValidatingWebhookConfiguration: {
      webhooks: "map(name) merge(name)",
    },
  },
};
