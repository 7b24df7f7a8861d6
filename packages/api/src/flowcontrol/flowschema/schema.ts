import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "flowcontrol.v1": {
    FlowSchemaCondition: {
      lastTransitionTime: "value",
    },
    FlowSchemaSpec: {
      matchingPrecedence: "value",
    },
    FlowSchemaStatus: {
      conditions: "map(type) merge(type)",
    },
    NonResourcePolicyRule: {
      nonResourceURLs: "set",
      verbs: "set",
    },
    ResourcePolicyRule: {
      apiGroups: "set",
      namespaces: "set",
      resources: "set",
      verbs: "set",
    },
    Subject: {
      ".": "union(kind,group,serviceAccount,user)",
    },
  },
};
