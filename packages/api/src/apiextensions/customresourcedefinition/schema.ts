import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "apiextensions.v1": {
    CustomResourceDefinitionCondition: {
      lastTransitionTime: "value",
    },
    CustomResourceDefinitionStatus: {
      conditions: "map(type) value",
      acceptedNames: "value",
      storedVersions: "value",
    },
    CustomResourceDefinitionVersion: {
      deprecationWarning: "pointer",
    },
    CustomResourceSubresourceScale: {
      labelSelectorPath: "pointer",
    },
    JSONSchemaProps: {
      "x-kubernetes-validations": "map(rule) merge(rule)",
      maximum: "pointer",
      minimum: "pointer",
      maxLength: "pointer",
      minLength: "pointer",
      maxItems: "pointer",
      minItems: "pointer",
      multipleOf: "pointer",
      maxProperties: "pointer",
      minProperties: "pointer",
      "x-kubernetes-preserve-unknown-fields": "pointer",
      "x-kubernetes-list-type": "pointer",
      "x-kubernetes-map-type": "pointer",
    },
    ServiceReference: {
      path: "pointer",
      port: "pointer",
    },
    ValidationRule: {
      reason: "pointer",
      optionalOldSelf: "pointer",
    },
    WebhookClientConfig: {
      url: "pointer",
    },
  },
};
