import { setOwn } from "@binnacle/base";
import { setPodTemplateDefaults } from "../../core/pod/pod-spec-defaults.ts";
import type { Job, JobSpec } from "../../generated/batch-v1.generated.ts";

/** As many failures as there are numbers: the limit per index is what counts. */
const NO_LIMIT = 2 ** 31 - 1;

/** Source: kubernetes v1.36 pkg/apis/batch/v1/defaults.go, SetDefaults_Job. */
export function setJobDefaults(job: Job): void {
  // What decodes from nothing has no template; validation reports it.
  job.spec ??= {} as JobSpec;
  const { spec } = job;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : NO_LIMIT;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
  setJobSpecDefaults(spec);
  copyTemplateLabels(job);
}

/** What a job template gets, too. */
export function setJobSpecDefaults(spec: JobSpec): void {
  for (const { onPodConditions } of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions ?? []) pattern.status ||= "True";
  }
  spec.template = setPodTemplateDefaults(spec.template);
}

/** A job without labels has those of its pods. */
export function copyTemplateLabels({ metadata, spec }: Job): void {
  const labels = spec.template?.metadata?.labels;
  if (labels === undefined || Object.keys(metadata.labels ?? {}).length > 0) return;
  metadata.labels = {};
  for (const [key, value] of Object.entries(labels)) setOwn(metadata.labels, key, value);
}
