import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "apps.v1": {
    DeploymentCondition: {
      lastUpdateTime: "value",
      lastTransitionTime: "value",
    },
    DeploymentSpec: {
      strategy: "retainKeys value",
      replicas: "pointer",
      revisionHistoryLimit: "pointer",
      progressDeadlineSeconds: "pointer",
      selector: "null",
    },
    DeploymentStatus: {
      conditions: "map(type) merge(type)",
      terminatingReplicas: "pointer",
      collisionCount: "pointer",
    },
  },
};
