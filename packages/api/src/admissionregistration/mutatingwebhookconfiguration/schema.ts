import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "admissionregistration.v1": {
    MutatingWebhook: {
      matchConditions: "map(name) merge(name)",
      failurePolicy: "pointer",
      matchPolicy: "pointer",
      timeoutSeconds: "pointer",
      reinvocationPolicy: "pointer",
      sideEffects: "null",
    },
    MutatingWebhookConfiguration: {
      webhooks: "map(name) merge(name)",
    },
    RuleWithOperations: {
      scope: "pointer",
    },
    ServiceReference: {
      path: "pointer",
      port: "pointer",
    },
    WebhookClientConfig: {
      url: "pointer",
    },
  },
};
