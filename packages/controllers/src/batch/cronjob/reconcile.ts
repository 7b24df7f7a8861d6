/**
 * Source: kubernetes v1.36 pkg/controller/cronjob/cronjob_controllerv2.go, sync and syncCronJob.
 */
import { type CronJob, CronScheduleError, type Job, type ObjectReference } from "@binnacle/api";
import { isAlreadyExists, isNotFound, msToTime, timeToMs } from "@binnacle/apimachinery";
import { BugError, jsonEquals } from "@binnacle/base";
import {
  done,
  isControlledBy,
  isTerminating,
  type Reconcile,
  type ReconcileContext,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { isNamespaceTerminating } from "../../pod-control/pod-from-template.ts";
import { cronJobs, jobs } from "../../resource-types.ts";
import { isFinished } from "../job/job-plan.ts";
import { jobName, jobOf, surplusJobs } from "./job-of-cronjob.ts";
import { dueTimes, type ParsedSchedule, parseSchedule } from "./schedule-plan.ts";

export const reconcileCronJob: Reconcile = async (key, context) => {
  const cronJob = context.cache.get(cronJobs, key);
  if (cronJob === undefined) return done;
  const sync = new CronJobSync(cronJob, context);
  const result = await sync.run();
  await sync.writeStatus();
  return result;
};

class CronJobSync {
  readonly #cronJob: CronJob;
  readonly #context: ReconcileContext;
  readonly #owned: Job[];
  #active: ObjectReference[];
  #lastScheduleTime: string | undefined;
  #lastSuccessfulTime: string | undefined;

  constructor(cronJob: CronJob, context: ReconcileContext) {
    this.#cronJob = cronJob;
    this.#context = context;
    this.#owned = context.cache.listOwned(jobs, cronJob).filter((job) => isControlledBy(job, cronJob));
    this.#active = [...(cronJob.status?.active ?? [])];
    this.#lastScheduleTime = cronJob.status?.lastScheduleTime;
    this.#lastSuccessfulTime = cronJob.status?.lastSuccessfulTime;
  }

  async run(): Promise<ReconcileResult> {
    await this.#noteJobs();
    await this.#cleanUp();
    const { spec } = this.#cronJob;
    if (isTerminating(this.#cronJob) || spec.suspend === true) return done;
    const parsed = this.#parse();
    return parsed === undefined ? done : this.#runIfDue(parsed);
  }

  async writeStatus(): Promise<void> {
    const { status = {} } = this.#cronJob;
    const updated = {
      ...(this.#active.length === 0 ? {} : { active: this.#active }),
      ...(this.#lastScheduleTime === undefined ? {} : { lastScheduleTime: this.#lastScheduleTime }),
      ...(this.#lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime: this.#lastSuccessfulTime }),
    };
    if (jsonEquals(status, updated)) return;
    try {
      await this.#context.client.updateStatus(cronJobs, { ...this.#cronJob, status: updated });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Takes finished and missing Jobs off the list of active ones. */
  async #noteJobs(): Promise<void> {
    const { client } = this.#context;
    const known = new Set<string>();
    for (const job of this.#owned) {
      const uid = job.metadata.uid ?? "";
      known.add(uid);
      const isListed = this.#active.some((each) => each.uid === uid);
      const finished = isFinished(job.status);
      if (!isListed && !finished) {
        // Started by a status that the cache does not show yet, or by somebody else.
        const newest = await client.live.find(cronJobs, this.#cronJob);
        const listed = newest?.status?.active?.find((each) => each.uid === uid);
        if (listed === undefined) {
          const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
          this.#event("Warning", "UnexpectedJob", message);
        }
      } else if (isListed && finished) {
        this.#active = this.#active.filter((each) => each.uid !== uid);
        this.#event(
          "Normal",
          "SawCompletedJob",
          `Saw completed job: ${job.metadata.name}, condition: ${endOf(job)}`,
        );
      }
      this.#noteSuccess(job);
    }
    for (const { uid, name = "", namespace = "" } of [...this.#active]) {
      if (uid === undefined || known.has(uid)) continue;
      const job = await client.live.find(jobs, { namespace, name });
      if (job?.metadata.uid === uid) continue;
      this.#event("Normal", "MissingJob", `Active job went missing: ${name}`);
      this.#active = this.#active.filter((each) => each.uid !== uid);
    }
  }

  #noteSuccess(job: Job): void {
    if (endOf(job) !== "Complete") return;
    const completedAt = job.status?.completionTime;
    if (completedAt === undefined) return;
    if (this.#lastSuccessfulTime === undefined || timeToMs(completedAt) > timeToMs(this.#lastSuccessfulTime))
      this.#lastSuccessfulTime = completedAt;
  }

  /** Deletes finished Jobs beyond the wanted history. */
  async #cleanUp(): Promise<void> {
    const { failedJobsHistoryLimit, successfulJobsHistoryLimit } = this.#cronJob.spec;
    for (const [end, limit] of [
      ["Complete", successfulJobsHistoryLimit],
      ["Failed", failedJobsHistoryLimit],
    ] as const) {
      if (limit === undefined) continue;
      const finished = this.#owned.filter((job) => endOf(job) === end && !isTerminating(job));
      for (const job of surplusJobs(finished, limit)) await this.#deleteJob(job);
    }
  }

  #parse(): ParsedSchedule | undefined {
    const { schedule, timeZone } = this.#cronJob.spec;
    try {
      return parseSchedule(this.#cronJob);
    } catch (error) {
      if (error instanceof CronScheduleError)
        this.#event(
          "Warning",
          "UnparseableSchedule",
          `unparseable schedule: ${JSON.stringify(schedule)} : ${error.message}`,
        );
      else if (error instanceof RangeError)
        this.#event(
          "Warning",
          "UnknownTimeZone",
          `invalid timeZone: ${JSON.stringify(timeZone ?? "")}: ${error.message}`,
        );
      else throw error;
      return undefined;
    }
  }

  async #runIfDue(parsed: ParsedSchedule): Promise<ReconcileResult> {
    const { spec } = this.#cronJob;
    const now = this.#context.clock.now();
    const { due, isManyMissed, waitMs } = dueTimes(this.#cronJob, parsed, now);
    const next: ReconcileResult = waitMs === undefined ? done : { requeueAfterMs: waitMs };
    if (isManyMissed)
      this.#event(
        "Warning",
        "TooManyMissedTimes",
        "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
      );
    if (due === undefined) return next;
    if (spec.startingDeadlineSeconds !== undefined && due + spec.startingDeadlineSeconds * 1000 < now) {
      this.#event("Warning", "MissSchedule", `Missed scheduled time to start a job: ${formatRfc1123(due)}`);
      return next;
    }
    const name = jobName(this.#cronJob, due);
    if (this.#active.some((each) => each.name === name) || timeToMs(this.#lastScheduleTime) === due)
      return next;
    if (spec.concurrencyPolicy === "Forbid" && this.#active.length > 0) {
      this.#event(
        "Normal",
        "JobAlreadyActive",
        "Not starting job because prior execution is running and concurrency policy is Forbid",
      );
      return next;
    }
    if (spec.concurrencyPolicy === "Replace") await this.#stopActive();
    await this.#start(due, parsed);
    return next;
  }

  async #stopActive(): Promise<void> {
    for (const { name = "", namespace = "" } of [...this.#active]) {
      const job = await this.#context.client.live.find(jobs, { namespace, name });
      if (job !== undefined) await this.#deleteJob(job);
    }
  }

  async #start(due: number, { zone }: ParsedSchedule): Promise<void> {
    const { client } = this.#context;
    const wanted = jobOf(this.#cronJob, due, zone);
    let job: Job;
    try {
      job = await client.create(jobs, wanted);
      this.#event("Normal", "SuccessfulCreate", `Created job ${job.metadata.name}`);
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      if (!isAlreadyExists(error)) {
        this.#event(
          "Warning",
          "FailedCreate",
          `Error creating job: ${error instanceof Error ? error.message : error}`,
        );
        throw error;
      }
      // Made by an earlier attempt whose status was not written.
      job = await client.live.get(jobs, wanted);
      if (!isControlledBy(job, this.#cronJob)) throw error;
      if (isFinished(job.status)) {
        this.#lastScheduleTime = msToTime(due);
        return;
      }
    }
    this.#active = [...this.#active, referenceTo(job)];
    this.#lastScheduleTime = msToTime(due);
  }

  async #deleteJob(job: Job): Promise<void> {
    try {
      await this.#context.client.delete(jobs, job, { propagationPolicy: "Background" });
    } catch (error) {
      if (isNotFound(error)) return;
      this.#event(
        "Warning",
        "FailedDelete",
        `Deleted job: ${error instanceof Error ? error.message : error}`,
      );
      throw error;
    }
    this.#active = this.#active.filter((each) => each.uid !== job.metadata.uid);
    this.#event("Normal", "SuccessfulDelete", `Deleted job ${job.metadata.name}`);
  }

  #event(type: "Normal" | "Warning", reason: string, message: string): void {
    this.#context.recorder.event(cronJobs, this.#cronJob, type, reason, message);
  }
}

function endOf(job: Job): string | undefined {
  return job.status?.conditions?.find(
    ({ type, status }) => (type === "Complete" || type === "Failed") && status === "True",
  )?.type;
}

function referenceTo({ metadata }: Job): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  if (namespace === undefined || name === undefined || uid === undefined || resourceVersion === undefined)
    throw new BugError("a stored Job has a namespace, name, uid and resourceVersion");
  return { kind: "Job", namespace, name, uid, apiVersion: "batch/v1", resourceVersion };
}

/** Go's time.RFC1123Z in UTC. */
function formatRfc1123(ms: number): string {
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}
