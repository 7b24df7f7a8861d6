import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "policy.v1": {
    PodDisruptionBudgetSpec: {
      selector: "replace",
      unhealthyPodEvictionPolicy: "pointer",
    },
    PodDisruptionBudgetStatus: {
      conditions: "map(type) merge(type)",
      disruptionsAllowed: "value",
      currentHealthy: "value",
      desiredHealthy: "value",
      expectedPods: "value",
    },
  },
};
