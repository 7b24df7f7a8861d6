import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { Job } from "../../generated/batch-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { jobColumns } from "./columns.ts";
import { setJobDefaults } from "./defaults.ts";
import { validateJobStatus } from "./status-validation.ts";
import { prepareJobForCreate, warningsForJob, warningsForJobUpdate } from "./strategy.ts";
import { validateJob, validateJobUpdate } from "./validation.ts";

/** Pods that run until enough of them have ended well. */
export const jobs: ResourceDefinition<Job> = {
  group: "batch",
  version: "v1",
  kind: "Job",
  resource: "jobs",
  singular: "job",
  listKind: "JobList",
  namespaced: true,
  categories: ["all"],
  schema: builtinSchema("batch.v1.Job"),
  defaults: setJobDefaults,
  strategy: {
    hasGeneration: true,
    defaultPropagation: "orphan",
    // Source: kubernetes v1.36 pkg/registry/batch/job/storage/storage.go, Delete.
    warningsOnDelete: (propagation) =>
      propagation !== undefined
        ? []
        : [
            "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
          ],
    prepareForCreate: prepareJobForCreate,
    validate: validateJob,
    validateUpdate: validateJobUpdate,
    warningsOnCreate: warningsForJob,
    warningsOnUpdate: warningsForJobUpdate,
  },
  status: { validateUpdate: validateJobStatus },
  columns: jobColumns,
  selectableFieldNames: ["status.successful"],
  selectableFields: ({ status }) => ({ "status.successful": String(status?.succeeded ?? 0) }),
};
