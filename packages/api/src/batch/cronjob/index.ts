import { ageOf, type ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn, text, wide } from "../../column-builders.ts";
import { containerColumns, formatSelector } from "../../core/pod/template-columns.ts";
import { warningsForPodNames } from "../../core/pod/warnings.ts";
import type { CronJob } from "../../generated/batch-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { warningsForJobSpec } from "../job/strategy.ts";
import { setCronJobDefaults } from "./defaults.ts";
import { validateCronJob, validateCronJobUpdate } from "./validation.ts";

const JOB_PATH = "spec.jobTemplate.spec";

/** Makes a Job again and again, by the clock. */
export const cronJobs: ResourceDefinition<CronJob> = {
  group: "batch",
  version: "v1",
  kind: "CronJob",
  resource: "cronjobs",
  singular: "cronjob",
  listKind: "CronJobList",
  namespaced: true,
  shortNames: ["cj"],
  categories: ["all"],
  schema: builtinSchema("batch.v1.CronJob"),
  defaults: setCronJobDefaults,
  strategy: {
    hasGeneration: true,
    prepareForCreate: (cronJob) => {
      cronJob.status = {};
    },
    validate: validateCronJob,
    validateUpdate: validateCronJobUpdate,
    warningsOnCreate: warningsForCronJob,
    warningsOnUpdate: warningsForCronJobUpdate,
  },
  status: { validateUpdate: () => [] },
  columns: columnsFor<CronJob>("cronjobs", [
    nameColumn,
    text("Schedule", ({ spec }) => spec.schedule),
    text("Timezone", ({ spec }) => spec.timeZone ?? "<none>"),
    text("Suspend", ({ spec }) => (spec.suspend === true ? "True" : "False")),
    integer("Active", ({ status }) => status?.active?.length ?? 0),
    text("Last Schedule", ({ status }, { nowMs }) =>
      status?.lastScheduleTime === undefined ? "<none>" : ageOf(status.lastScheduleTime, nowMs),
    ),
    ageColumn,
    ...containerColumns<CronJob>(({ spec }) => spec.jobTemplate.spec?.template, 1),
    wide("Selector", ({ spec }) => formatSelector(spec.jobTemplate.spec?.selector)),
  ]),
};

/** Source: kubernetes v1.36 pkg/registry/batch/cronjob/strategy.go, WarningsOnCreate. */
function warningsForCronJob({ metadata, spec }: CronJob): string[] {
  return [
    ...warningsForPodNames(metadata.name ?? ""),
    ...warningsForJobSpec(spec.jobTemplate.spec, JOB_PATH),
  ];
}

/** Source: kubernetes v1.36 pkg/registry/batch/cronjob/strategy.go, WarningsOnUpdate. The path is upstream's. */
function warningsForCronJobUpdate(updated: CronJob, old: CronJob): string[] {
  const changed = updated.metadata.generation !== old.metadata.generation;
  const warnings = changed ? warningsForJobSpec(updated.spec.jobTemplate.spec, JOB_PATH) : [];
  if (updated.spec.schedule.includes("TZ")) {
    warnings.push(
      "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
    );
  }
  return warnings;
}
