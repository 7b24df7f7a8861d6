/**
 * The acting half of the Job controller: one Job through one reconcile.
 *
 * Source: kubernetes v1.36 pkg/controller/job/job_controller.go, syncJob.
 */
import type { Job, JobCondition, JobStatus, Pod } from "@binnacle/api";
import {
  isConflict,
  isNotFound,
  labelSelectorFromObject,
  matchLabels,
  msToTime,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import {
  controllerOf,
  isTerminating,
  type ReconcileContext,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { claim } from "../../pod-control/claim.ts";
import type { Expectations } from "../../pod-control/expectations.ts";
import { listOrphans } from "../../pod-control/orphan-index.ts";
import { isNamespaceTerminating } from "../../pod-control/pod-from-template.ts";
import { isPodActive, isPodReady, isPodStopping } from "../../pod-control/pod-state.ts";
import { slowStart } from "../../pod-control/slow-start.ts";
import { jobs, pods } from "../../resource-types.ts";
import { addOutcomes, type FailureRecord, noFailures, remainingMs } from "./backoff.ts";
import {
  completionsReached,
  deadlineInMs,
  isDone,
  type JobView,
  jobCondition,
  outcomesOf,
  planPods,
  verdict,
  viewJob,
} from "./job-plan.ts";
import { podOfJob } from "./job-pod.ts";
import { isTracked, TRACKING_FINALIZER } from "./job-pods.ts";
import { countReleased, listEnded } from "./tracking.ts";

/** What the controller remembers between reconciles, by the Job's uid. */
export interface JobMemory {
  readonly expectations: Expectations;
  /** Uids of pods whose finalizer we took off while the cache still shows it. */
  readonly released: Map<string, Set<string>>;
  readonly failures: Map<string, FailureRecord>;
}

export class JobSync {
  #job: Job;
  readonly #memory: JobMemory;
  readonly #context: ReconcileContext;
  readonly #uid: string;
  /** The status that the server has. */
  #written: JobStatus;

  constructor(job: Job, memory: JobMemory, context: ReconcileContext) {
    this.#job = job;
    this.#written = job.status ?? {};
    this.#memory = memory;
    this.#context = context;
    this.#uid = job.metadata.uid ?? "";
  }

  async run(): Promise<ReconcileResult> {
    const now = this.#context.clock.now();
    const waitMs = this.#memory.expectations.waitMs(this.#uid);
    const owned = await this.#claimPods();
    let status: JobStatus = { ...this.#job.status };
    if (status.startTime === undefined && this.#job.spec.suspend !== true) status.startTime = msToTime(now);
    this.#job = { ...this.#job, status };

    const view = viewJob(
      this.#job,
      owned,
      owned.filter(isPodActive),
      owned.filter(isPodStopping).length,
      this.#isReleased,
    );
    const [successes = [], failures = []] = outcomesOf(view, this.#isReleased);
    const record = addOutcomes(this.#memory.failures.get(this.#uid) ?? noFailures, successes, failures);
    let condition = verdict(view, now);
    let active = view.active.length;
    let terminating = view.terminating;
    let failure: unknown;
    const waits = [waitMs, deadlineInMs(this.#job, now) ?? 0];

    if (condition !== undefined) {
      const result = await this.#deletePods(view.active);
      active -= result.deleted;
      terminating += result.deleted;
      failure = result.failure;
    } else {
      const mayManage = waitMs === 0 && !isTerminating(this.#job);
      if (mayManage) {
        const managed = await this.#managePods(view, remainingMs(record, now));
        active = managed.active;
        terminating += managed.deleted;
        failure = managed.failure;
        waits.push(managed.waitMs);
      }
      if (isDone(view, active)) condition = completionsReached(now);
      else if (mayManage) status = this.#withSuspension(status, now);
    }

    const { active: _, ...others } = status;
    status = {
      ...others,
      ...counts(active),
      ready: view.active.filter(isPodReady).length,
      terminating,
      uncountedTerminatedPods: status.uncountedTerminatedPods ?? {},
    };
    await this.#track(view, status, condition, terminating, active);
    this.#memory.failures.set(this.#uid, record);
    if (failure !== undefined) throw failure;
    const positive = waits.filter((each) => each > 0);
    return positive.length === 0 ? {} : { requeueAfterMs: Math.min(...positive) };
  }

  readonly #isReleased = (pod: Pod): boolean =>
    this.#memory.released.get(this.#uid)?.has(pod.metadata.uid ?? "") ?? false;

  async #claimPods(): Promise<Pod[]> {
    const { cache, client } = this.#context;
    const selector = labelSelectorFromObject(this.#job.spec.selector);
    const orphans = listOrphans(cache, this.#job.metadata.namespace ?? "").filter((pod) =>
      matchLabels(selector, pod.metadata.labels),
    );
    const claimed = await claim(client.live, { type: jobs, object: this.#job }, selector, {
      type: pods,
      objects: [...cache.listOwned(pods, this.#job), ...orphans],
    });
    return claimed;
  }

  async #managePods(
    view: JobView,
    backoffMs: number,
  ): Promise<{ active: number; deleted: number; waitMs: number; failure?: unknown }> {
    const { expectations } = this.#memory;
    const plan = planPods(view, backoffMs, this.#context.clock.now());
    const active = view.active.length;
    const { waitMs } = plan;
    if (plan.delete.length > 0) {
      expectations.expectDeletions(
        this.#uid,
        plan.delete.map((pod) => pod.metadata.uid ?? ""),
      );
      const { deleted, failure } = await this.#deletePods(plan.delete);
      return { active: active - deleted, deleted, waitMs, failure };
    }
    if (plan.create.length === 0) return { active, deleted: 0, waitMs };
    expectations.expectCreations(this.#uid, plan.create.length);
    const { succeeded, failure } = await slowStart(plan.create.length, (i) =>
      this.#createPod(plan.create[i] ?? {}),
    );
    expectations.sawCreation(this.#uid, plan.create.length - succeeded);
    const isServerClosing = isNamespaceTerminating(failure);
    return { active: active + succeeded, deleted: 0, waitMs, failure: isServerClosing ? undefined : failure };
  }

  async #createPod(options: { index?: number; failures?: number }): Promise<void> {
    const { client, recorder } = this.#context;
    try {
      const created = await client.create(pods, podOfJob(this.#job, options));
      recorder.event(jobs, this.#job, "Normal", "SuccessfulCreate", `Created pod: ${created.metadata.name}`);
    } catch (error) {
      if (!isNamespaceTerminating(error)) {
        const message = `Error creating: ${error instanceof Error ? error.message : error}`;
        recorder.event(jobs, this.#job, "Warning", "FailedCreate", message);
      }
      throw error;
    }
  }

  async #deletePods(doomed: readonly Pod[]): Promise<{ deleted: number; failure?: unknown }> {
    const { client, recorder } = this.#context;
    let deleted = 0;
    const results = await Promise.allSettled(
      doomed.map(async (pod) => {
        try {
          await client.delete(pods, pod);
          deleted++;
          recorder.event(jobs, this.#job, "Normal", "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
        } catch (error) {
          this.#memory.expectations.sawDeletion(this.#uid, pod.metadata.uid ?? "");
          if (isNotFound(error) || isConflict(error)) {
            deleted++;
            return;
          }
          throw error;
        }
      }),
    );
    return { deleted, failure: results.find((result) => result.status === "rejected")?.reason };
  }

  /** Notes that the Job was suspended or goes on. */
  #withSuspension(status: JobStatus, now: number): JobStatus {
    const conditions = status.conditions ?? [];
    const present = conditions.find((condition) => condition.type === "Suspended");
    const isSuspended = this.#job.spec.suspend === true;
    if (isSuspended === (present?.status === "True") || (present === undefined && !isSuspended))
      return status;
    const [reason, message, event] = isSuspended
      ? ["JobSuspended", "Job suspended", "Suspended"]
      : ["JobResumed", "Job resumed", "Resumed"];
    const updated = {
      ...jobCondition("Suspended", reason, message, now),
      status: isSuspended ? "True" : "False",
    };
    this.#context.recorder.event(jobs, this.#job, "Normal", event, message);
    const changed = {
      ...status,
      conditions:
        present === undefined
          ? [...conditions, updated]
          : conditions.map((each) => (each === present ? updated : each)),
    };
    // The time before a suspension does not count towards the deadline.
    if (isSuspended) delete changed.startTime;
    else changed.startTime = msToTime(now);
    return changed;
  }

  /** Lists pods that ended, takes off their finalizers, counts them, and ends the Job when all is counted. */
  async #track(
    view: JobView,
    wanted: JobStatus,
    condition: JobCondition | undefined,
    terminating: number,
    active: number,
  ): Promise<void> {
    const withFinalizer = new Set(
      view.pods
        .filter((pod) => isTracked(pod) && !this.#isReleased(pod))
        .map((pod) => pod.metadata.uid ?? ""),
    );
    const listed = listEnded(
      view,
      countReleased(wanted, withFinalizer),
      outcomeOf(condition),
      this.#isReleased,
    );
    let status = condition === undefined ? listed.status : withCondition(listed.status, condition);
    await this.#writeStatus(status);
    const failure = await this.#release(listed.release, withFinalizer);
    status = countReleased(status, withFinalizer);
    const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
    const isCounted = !listed.isPartial && succeeded.length === 0 && failed.length === 0;
    let final: JobCondition | undefined;
    if (condition !== undefined && isCounted && terminating === 0 && active === 0) {
      final = finalCondition(condition, this.#context.clock.now());
      const { lastTransitionTime } = final;
      status = {
        ...withCondition(status, final),
        ...(final.type === "Complete" && lastTransitionTime !== undefined
          ? { completionTime: lastTransitionTime }
          : {}),
      };
    }
    await this.#writeStatus(status);
    if (final !== undefined) this.#reportEnd(final);
    if (failure !== undefined) throw failure;
  }

  /** Takes the finalizer off these pods and strikes them from the set; gives what went wrong. */
  async #release(release: readonly Pod[], withFinalizer: Set<string>): Promise<unknown> {
    const released = this.#memory.released.get(this.#uid) ?? new Set();
    this.#memory.released.set(this.#uid, released);
    const results = await Promise.allSettled(
      release.map(async (pod) => {
        const uid = pod.metadata.uid ?? "";
        released.add(uid);
        try {
          await releasePod(pod, this.#context);
          withFinalizer.delete(uid);
        } catch (error) {
          released.delete(uid);
          throw error;
        }
      }),
    );
    return results.find((result) => result.status === "rejected")?.reason;
  }

  async #writeStatus(status: JobStatus): Promise<void> {
    if (jsonEquals(this.#written, status)) return;
    this.#job = await this.#context.client.updateStatus(jobs, { ...this.#job, status });
    this.#written = this.#job.status ?? {};
  }

  #reportEnd(final: JobCondition): void {
    const { recorder } = this.#context;
    if (final.type === "Complete") {
      const { completions } = this.#job.spec;
      if (completions !== undefined && (this.#job.status?.succeeded ?? 0) > completions) {
        const message = "Too many succeeded pods running after completion count reached";
        recorder.event(jobs, this.#job, "Warning", "TooManySucceededPods", message);
      }
      recorder.event(jobs, this.#job, "Normal", "Completed", "Job completed");
    } else {
      recorder.event(jobs, this.#job, "Warning", final.reason ?? "", final.message ?? "");
    }
  }
}

/** Takes the tracking finalizer off a pod; a pod that is gone is fine. */
export async function releasePod(pod: Pod, { client }: ReconcileContext): Promise<void> {
  const { uid } = pod.metadata;
  // The directive removes one value from the list whatever else is in it.
  const patch = { metadata: { uid, "$deleteFromPrimitiveList/finalizers": [TRACKING_FINALIZER] } };
  try {
    await client.patch(pods, pod, { contentType: "application/strategic-merge-patch+json", body: patch });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Removes the finalizer from pods whose Job is gone or over, and which therefore nobody counts. */
export async function releaseAbandoned(
  namespace: string,
  jobName: string,
  liveJobUid: string | undefined,
  context: ReconcileContext,
): Promise<void> {
  const abandoned = context.cache.list(pods, { namespace }).filter((pod) => {
    const controller = controllerOf(pod);
    return (
      controller?.kind === "Job" &&
      controller.name === jobName &&
      controller.uid !== liveJobUid &&
      isTracked(pod)
    );
  });
  await Promise.all(abandoned.map((pod) => releasePod(pod, context)));
}

function outcomeOf(condition: JobCondition | undefined): "open" | "succeeded" | "failed" {
  if (condition === undefined) return "open";
  return condition.type === "SuccessCriteriaMet" ? "succeeded" : "failed";
}

function counts(active: number): { active?: number } {
  return active === 0 ? {} : { active };
}

function withCondition(status: JobStatus, condition: JobCondition): JobStatus {
  const conditions = status.conditions ?? [];
  if (conditions.some(({ type, status: value }) => type === condition.type && value === condition.status))
    return status;
  return { ...status, conditions: [...conditions, condition] };
}

function finalCondition({ type, reason = "", message = "" }: JobCondition, now: number): JobCondition {
  return jobCondition(type === "SuccessCriteriaMet" ? "Complete" : "Failed", reason, message, now);
}
