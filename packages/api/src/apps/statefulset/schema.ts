import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "apps.v1": {
    RollingUpdateStatefulSetStrategy: {
      partition: "pointer",
    },
    StatefulSetCondition: {
      lastTransitionTime: "value",
    },
    StatefulSetOrdinals: {
      start: "value",
    },
    StatefulSetSpec: {
      replicas: "pointer",
      revisionHistoryLimit: "pointer",
      selector: "null",
      serviceName: "value",
      updateStrategy: "value",
    },
    StatefulSetStatus: {
      conditions: "map(type) merge(type)",
      availableReplicas: "value",
      collisionCount: "pointer",
    },
  },
};
