import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "batch.v1": {
    JobCondition: {
      lastProbeTime: "value",
      lastTransitionTime: "value",
    },
    JobStatus: {
      conditions: "merge(type)",
      terminating: "pointer",
      failedIndexes: "pointer",
      ready: "pointer",
    },
    UncountedTerminatedPods: {
      failed: "set",
      succeeded: "set",
    },
  },
};
