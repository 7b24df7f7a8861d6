import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "batch.v1": {
    CronJobSpec: {
      timeZone: "pointer",
      startingDeadlineSeconds: "pointer",
      suspend: "pointer",
      successfulJobsHistoryLimit: "pointer",
      failedJobsHistoryLimit: "pointer",
    },
    JobSpec: {
      parallelism: "pointer",
      completions: "pointer",
      activeDeadlineSeconds: "pointer",
      backoffLimit: "pointer",
      backoffLimitPerIndex: "pointer",
      maxFailedIndexes: "pointer",
      manualSelector: "pointer",
      ttlSecondsAfterFinished: "pointer",
      completionMode: "pointer",
      suspend: "pointer",
      podReplacementPolicy: "pointer",
      managedBy: "pointer",
    },
    JobTemplateSpec: {
      metadata: "value",
      spec: "value",
    },
    PodFailurePolicyOnExitCodesRequirement: {
      values: "set",
      containerName: "pointer",
    },
    SuccessPolicyRule: {
      succeededIndexes: "pointer",
      succeededCount: "pointer",
    },
  },
};
