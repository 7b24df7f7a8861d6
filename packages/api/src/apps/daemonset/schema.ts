import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "apps.v1": {
    DaemonSetCondition: {
      lastTransitionTime: "value",
    },
    DaemonSetSpec: {
      revisionHistoryLimit: "pointer",
      selector: "null",
      updateStrategy: "value",
    },
    DaemonSetStatus: {
      conditions: "map(type) merge(type)",
      collisionCount: "pointer",
    },
  },
};
