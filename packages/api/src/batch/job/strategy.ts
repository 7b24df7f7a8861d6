import { warningsForPodNames, warningsForPodTemplate } from "../../core/pod/warnings.ts";
import type { Job, JobSpec } from "../../generated/batch-v1.generated.ts";
import { copyTemplateLabels } from "./defaults.ts";

export const CONTROLLER_UID_LABEL = "batch.kubernetes.io/controller-uid";
export const JOB_NAME_LABEL = "batch.kubernetes.io/job-name";
/** The same without domain, from before labels had one. */
export const LEGACY_CONTROLLER_UID_LABEL = "controller-uid";
export const LEGACY_JOB_NAME_LABEL = "job-name";

/** Source: kubernetes v1.36 pkg/registry/batch/job/strategy.go, PrepareForCreate. */
export function prepareJobForCreate(job: Job): void {
  if (job.spec.manualSelector !== true) generateSelector(job);
  job.status = {};
  copyTemplateLabels(job);
}

/**
 * Labels the pods with name and uid of the job and selects them by uid. Labels that are there already stay; validation
 * refuses them if they say something else.
 */
function generateSelector({ metadata, spec }: Job): void {
  const { name = "", uid = "" } = metadata;
  spec.template.metadata ??= {};
  spec.template.metadata.labels = {
    [LEGACY_JOB_NAME_LABEL]: name,
    [JOB_NAME_LABEL]: name,
    [LEGACY_CONTROLLER_UID_LABEL]: uid,
    [CONTROLLER_UID_LABEL]: uid,
    ...spec.template.metadata.labels,
  };
  spec.selector ??= {};
  spec.selector.matchLabels = { [CONTROLLER_UID_LABEL]: uid, ...spec.selector.matchLabels };
}

/** Source: kubernetes v1.36 pkg/registry/batch/job/strategy.go, WarningsOnCreate. */
export function warningsForJob(job: Job): string[] {
  return [...warningsForPodNames(job.metadata.name ?? ""), ...warningsForJobSpec(job.spec, "spec")];
}

/** Source: kubernetes v1.36 pkg/registry/batch/job/strategy.go, WarningsOnUpdate. */
export function warningsForJobUpdate(updated: Job, old: Job): string[] {
  if (updated.metadata.generation === old.metadata.generation) return [];
  return warningsForJobSpec(updated.spec, "spec");
}

const MANY_COMPLETIONS = 100_000;
const MANY_PODS = 10_000;

/** Source: kubernetes v1.36 pkg/api/job/warnings.go, WarningsForJobSpec. */
export function warningsForJobSpec(spec: JobSpec, path: string): string[] {
  const warnings: string[] = [];
  const { completionMode, completions = 0, parallelism = 0 } = spec;
  if (completionMode === "Indexed" && completions > MANY_COMPLETIONS && parallelism > MANY_PODS) {
    const why =
      "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
    warnings.push(`${path}: ${why}`);
  }
  return [...warnings, ...warningsForPodTemplate(spec.template, `${path}.template`)];
}
