import type { CronJob, CronJobSpec, JobSpec, JobTemplateSpec } from "../../generated/batch-v1.generated.ts";
import { setJobSpecDefaults } from "../job/defaults.ts";

/** Source: kubernetes v1.36 pkg/apis/batch/v1/defaults.go, SetDefaults_CronJob. The job gets its own when it is made. */
export function setCronJobDefaults(cronJob: CronJob): void {
  // What decodes from nothing has neither schedule nor template; validation reports it.
  cronJob.spec ??= {} as CronJobSpec;
  const { spec } = cronJob;
  spec.concurrencyPolicy ||= "Allow";
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  spec.jobTemplate ??= {} as JobTemplateSpec;
  spec.jobTemplate.spec ??= {} as JobSpec;
  setJobSpecDefaults(spec.jobTemplate.spec);
}
