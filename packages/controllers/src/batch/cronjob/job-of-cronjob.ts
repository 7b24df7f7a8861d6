import type { CronJob, Job } from "@binnacle/api";
import { timeToMs } from "@binnacle/apimachinery";
import { controllerReference } from "@binnacle/controller-runtime";
import { cronJobs } from "../../resource-types.ts";
import { formatZoned, type TimeZone } from "./time-zone.ts";

const SCHEDULED_ANNOTATION = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** The same time always makes the same name: a second attempt finds the first one's Job. */
export function jobName(cronJob: CronJob, scheduledMs: number): string {
  return `${cronJob.metadata.name}-${Math.floor(scheduledMs / 60_000)}`;
}

/** The Job of one scheduled time. Source: kubernetes v1.36 pkg/controller/cronjob/utils.go, getJobFromTemplate2. */
export function jobOf(cronJob: CronJob, scheduledMs: number, zone: TimeZone): Job {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  return {
    metadata: {
      name: jobName(cronJob, scheduledMs),
      namespace: cronJob.metadata.namespace ?? "",
      ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, [SCHEDULED_ANNOTATION]: formatZoned(zone, scheduledMs) },
      ownerReferences: [controllerReference(cronJobs, cronJob)],
    },
    spec,
  };
}

/** The finished Jobs beyond the limit, oldest first. */
export function surplusJobs(finished: readonly Job[], limit: number): Job[] {
  const startOf = (job: Job): number => {
    const ms = timeToMs(job.status?.startTime);
    return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
  };
  const sorted = [...finished].sort(
    (a, b) =>
      (startOf(a) === startOf(b) ? 0 : startOf(a) - startOf(b)) ||
      ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1),
  );
  return sorted.slice(0, Math.max(0, sorted.length - limit));
}
