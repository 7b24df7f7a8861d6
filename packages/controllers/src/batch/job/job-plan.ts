/**
 * What to do about a Job's pods, and whether the Job is over: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/job/job_controller.go, syncJob and manageJob.
 */
import type { Job, JobCondition, JobStatus, Pod } from "@binnacle/api";
import { msToTime, timeToMs } from "@binnacle/apimachinery";
import { rankForDeletion } from "../../pod-control/rank-pods.ts";
import { type addOutcomes, noFailures, remainingMs } from "./backoff.ts";
import { judgeFailure, judgeSuccess } from "./failure-policy.ts";
import { addIndexes, countIndexes, hasIndex, type IndexRanges, parseIndexes } from "./index-ranges.ts";
import {
  completionIndex,
  earlierIndexFailures,
  finishedAtMs,
  hasFailed,
  hasSucceeded,
  isIndexed,
  isTracked,
  restartsExceedLimit,
} from "./job-pods.ts";

/** Source: job_controller.go, MaxPodCreateDeletePerSync. */
const MAX_PODS_AT_ONCE = 500;

/** A Job and its pods, counted. */
export interface JobView {
  readonly job: Job;
  readonly pods: readonly Pod[];
  /** Neither finished nor being deleted. */
  readonly active: readonly Pod[];
  /** Being deleted and not finished. */
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Of an indexed Job: what is done. */
  readonly succeededIndexes: IndexRanges;
  /** Of a Job with a limit per index: what is given up. */
  readonly failedIndexes: IndexRanges;
  /** Of a Job with a limit per index: the last failed pod of each index that is to be tried again. */
  readonly toReplace: ReadonlyMap<number, Pod>;
}

/** Counts the pods. `uncounted` ends of pods are in the status' lists, not yet in its numbers; `ignored` have been counted. */
export function viewJob(
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  terminating: number,
  isIgnored: (pod: Pod) => boolean,
): JobView {
  const { status = {} } = job;
  const uncounted = status.uncountedTerminatedPods ?? {};
  const isFresh = (pod: Pod, listed: readonly string[] | undefined): boolean =>
    isTracked(pod) &&
    !isIgnored(pod) &&
    !(listed ?? []).includes(pod.metadata.uid ?? "") &&
    (!isIndexed(job) || completionIndex(job, pod) !== undefined);
  const newlySucceeded = pods.filter((pod) => hasSucceeded(pod) && isFresh(pod, uncounted.succeeded));
  const newlyFailed = pods.filter(
    (pod) =>
      hasFailed(job, pod) &&
      isFresh(pod, uncounted.failed) &&
      judgeFailure(job.spec.podFailurePolicy, pod).isCounted,
  );
  const succeededIndexes = isIndexed(job) ? completedIndexes(job, pods) : [];
  const failures = hasLimitPerIndex(job) ? indexFailures(job, pods, active, succeededIndexes) : undefined;
  return {
    job,
    pods,
    active,
    terminating,
    succeeded: isIndexed(job)
      ? countIndexes(succeededIndexes)
      : (status.succeeded ?? 0) + newlySucceeded.length + (uncounted.succeeded ?? []).length,
    failed: (status.failed ?? 0) + newlyFailed.length + (uncounted.failed ?? []).length,
    succeededIndexes,
    failedIndexes: failures?.failedIndexes ?? [],
    toReplace: failures?.toReplace ?? new Map(),
  };
}

export function hasLimitPerIndex(job: Job): boolean {
  return isIndexed(job) && job.spec.backoffLimitPerIndex !== undefined;
}

function completedIndexes(job: Job, pods: readonly Pod[]): IndexRanges {
  const before = parseIndexes(job.status?.completedIndexes, job.spec.completions ?? 0);
  const fresh = pods.filter(hasSucceeded).map((pod) => completionIndex(job, pod));
  return addIndexes(before, fresh.filter((index) => index !== undefined) as number[]); // Undefined is filtered out.
}

function indexFailures(
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  succeeded: IndexRanges,
): { failedIndexes: IndexRanges; toReplace: Map<number, Pod> } {
  const limit = job.spec.backoffLimitPerIndex ?? 0;
  const given = new Set<number>();
  const latest = new Map<number, Pod>();
  for (const pod of pods) {
    const index = completionIndex(job, pod);
    if (index === undefined || hasIndex(succeeded, index) || !isTracked(pod) || !hasFailed(job, pod))
      continue;
    const verdict = judgeFailure(job.spec.podFailurePolicy, pod);
    if (verdict.failIndex || indexFailuresAfter(job, pod) > limit) given.add(index);
    const other = latest.get(index);
    if (other === undefined || earlierIndexFailures(pod) >= earlierIndexFailures(other))
      latest.set(index, pod);
  }
  const before = parseIndexes(job.status?.failedIndexes, job.spec.completions ?? 0);
  const failedIndexes = addIndexes(before, given);
  const busy = new Set(active.map((pod) => completionIndex(job, pod)));
  for (const index of [...latest.keys()])
    if (hasIndex(failedIndexes, index) || busy.has(index)) latest.delete(index);
  return { failedIndexes, toReplace: latest };
}

/** How often the pod's index has failed, this pod included unless its failure is ignored. */
export function indexFailuresAfter(job: Job, pod: Pod): number {
  return earlierIndexFailures(pod) + (judgeFailure(job.spec.podFailurePolicy, pod).isCounted ? 1 : 0);
}

/** Why the Job ends, before its last pods have; undefined while it goes on. */
export function verdict(view: JobView, nowMs: number): JobCondition | undefined {
  const { job, pods, succeededIndexes, failedIndexes } = view;
  const { spec, status = {} } = job;
  const present = status.conditions?.find(
    ({ type, status: value }) =>
      (type === "SuccessCriteriaMet" || type === "FailureTarget") && value === "True",
  );
  if (present !== undefined) return present;
  const fails = (reason: string, message: string) => jobCondition("FailureTarget", reason, message, nowMs);
  for (const pod of pods) {
    const message = hasFailed(job, pod) ? judgeFailure(spec.podFailurePolicy, pod).failJob : undefined;
    if (message !== undefined) return fails("PodFailurePolicy", message);
  }
  if (view.failed > (spec.backoffLimit ?? 6) || restartsExceedLimit(job, pods))
    return fails("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  if (deadlineInMs(job, nowMs) === 0)
    return fails("DeadlineExceeded", "Job was active longer than specified deadline");
  if (hasLimitPerIndex(job)) {
    const failed = countIndexes(failedIndexes);
    if (spec.maxFailedIndexes !== undefined && failed > spec.maxFailedIndexes)
      return fails(
        "MaxFailedIndexesExceeded",
        "Job has exceeded the specified maximal number of failed indexes",
      );
    if (failed > 0 && failed + view.succeeded >= (spec.completions ?? 0))
      return fails("FailedIndexes", "Job has failed indexes");
  }
  if (isIndexed(job)) {
    const message = judgeSuccess(spec.successPolicy, spec.completions ?? 0, succeededIndexes);
    if (message !== undefined) return jobCondition("SuccessCriteriaMet", "SuccessPolicy", message, nowMs);
  }
  return undefined;
}

/** Whether everything has been done, with this many pods still active. */
export function isDone({ job, succeeded }: JobView, active: number): boolean {
  const { completions } = job.spec;
  return active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
}

export function completionsReached(nowMs: number): JobCondition {
  return jobCondition(
    "SuccessCriteriaMet",
    "CompletionsReached",
    "Reached expected number of succeeded pods",
    nowMs,
  );
}

/** How long the Job may still run; 0 when its time is up, undefined when it has no limit. */
export function deadlineInMs({ spec, status }: Job, nowMs: number): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || status?.startTime === undefined || spec.suspend === true)
    return undefined;
  return Math.max(0, timeToMs(status.startTime) + spec.activeDeadlineSeconds * 1000 - nowMs);
}

/** Pods to delete and to create now. */
export interface PodPlan {
  readonly delete: readonly Pod[];
  /** One entry per pod: its index in an indexed Job, and how often that index has failed. */
  readonly create: readonly { readonly index?: number; readonly failures?: number }[];
  /** Creating must wait so long. */
  readonly waitMs: number;
}

/** `backoffMs` is what the failures so far demand of a Job without a limit per index. */
export function planPods(view: JobView, backoffMs: number, nowMs: number): PodPlan {
  const { job, active, succeeded } = view;
  const { spec } = job;
  const nothing: PodPlan = { delete: [], create: [], waitMs: 0 };
  if (spec.suspend === true) return { ...nothing, delete: removable(view, active.length, nowMs) };
  const wanted = wantedActive(job, active.length, succeeded, view);
  const surplus = removable(view, Math.max(0, active.length - wanted), nowMs).slice(0, MAX_PODS_AT_ONCE);
  if (surplus.length > 0) return { ...nothing, delete: surplus };
  const blocked = spec.podReplacementPolicy === "Failed" ? view.terminating : 0;
  const missing = Math.min(MAX_PODS_AT_ONCE, wanted - blocked - active.length);
  if (missing <= 0) return nothing;
  if (!isIndexed(job))
    return backoffMs > 0
      ? { ...nothing, waitMs: backoffMs }
      : { ...nothing, create: Array.from({ length: missing }, () => ({})) };
  if (!hasLimitPerIndex(job) && backoffMs > 0) return { ...nothing, waitMs: backoffMs };
  return planIndexes(view, missing, nowMs);
}

function wantedActive({ spec }: Job, active: number, succeeded: number, view: JobView): number {
  const parallelism = spec.parallelism ?? 1;
  // A work queue: once a pod has succeeded the others end by themselves.
  if (spec.completions === undefined) return succeeded > 0 ? active : parallelism;
  const open = spec.completions - succeeded - countIndexes(view.failedIndexes);
  return Math.max(0, Math.min(open, parallelism));
}

/** Of an indexed Job, second pods of an index and pods of finished indexes go in any case. */
function removable({ job, active, succeededIndexes }: JobView, atLeast: number, nowMs: number): Pod[] {
  const doomed: Pod[] = [];
  let rest = rankForDeletion(active, () => 0, nowMs);
  if (isIndexed(job)) {
    const kept = new Set<number>();
    const needless = (pod: Pod): boolean => {
      const index = completionIndex(job, pod);
      if (index === undefined || kept.has(index) || hasIndex(succeededIndexes, index)) return true;
      kept.add(index);
      return false;
    };
    // The last of the ranking is the most precious: it is the one that stays.
    const needed: Pod[] = [];
    for (const pod of rest.reverse()) (needless(pod) ? doomed : needed).push(pod);
    rest = needed.reverse();
  }
  return [...doomed, ...rest.slice(0, Math.max(0, atLeast - doomed.length))];
}

/** The first indexes that nobody works on; those that failed wait each for its own time. */
function planIndexes(view: JobView, missing: number, nowMs: number): PodPlan {
  const { job, active, succeededIndexes, failedIndexes, toReplace } = view;
  const busy = new Set(active.map((pod) => completionIndex(job, pod)));
  // Where replacements wait for the failed phase, an index whose pod is still stopping is not free.
  if (job.spec.podReplacementPolicy === "Failed")
    for (const pod of view.pods)
      if (pod.status?.phase !== "Failed" && pod.status?.phase !== "Succeeded")
        busy.add(completionIndex(job, pod));
  const create: { index: number; failures?: number }[] = [];
  let waitMs = 0;
  for (let index = 0; index < (job.spec.completions ?? 0) && create.length < missing; index++) {
    if (busy.has(index) || hasIndex(succeededIndexes, index) || hasIndex(failedIndexes, index)) continue;
    if (!hasLimitPerIndex(job)) {
      create.push({ index });
      continue;
    }
    const last = toReplace.get(index);
    if (last === undefined) {
      create.push({ index, failures: 0 });
      continue;
    }
    const failures = indexFailuresAfter(job, last);
    const lastAtMs = finishedAtMs(last);
    const mustWaitMs = remainingMs(failures === 0 ? noFailures : { failures, lastAtMs }, nowMs);
    if (mustWaitMs === 0) create.push({ index, failures });
    else waitMs = waitMs === 0 ? mustWaitMs : Math.min(waitMs, mustWaitMs);
  }
  return { delete: [], create, waitMs };
}

/** The record of failures after the pods that ended and have not been counted. */
export function outcomesOf(
  view: JobView,
  isIgnored: (pod: Pod) => boolean,
): Parameters<typeof addOutcomes>[1][] {
  const { job, pods } = view;
  const uncounted = job.status?.uncountedTerminatedPods ?? {};
  const fresh = (listed: readonly string[] | undefined) => (pod: Pod) =>
    isTracked(pod) && !isIgnored(pod) && !(listed ?? []).includes(pod.metadata.uid ?? "");
  return [
    pods.filter((pod) => hasSucceeded(pod) && fresh(uncounted.succeeded)(pod)).map(finishedAtMs),
    pods.filter((pod) => hasFailed(job, pod) && fresh(uncounted.failed)(pod)).map(finishedAtMs),
  ];
}

export function jobCondition(type: string, reason: string, message: string, nowMs: number): JobCondition {
  const now = msToTime(nowMs);
  return { type, status: "True", lastProbeTime: now, lastTransitionTime: now, reason, message };
}

/** Whether the Job is over for good. */
export function isFinished(status: JobStatus | undefined): boolean {
  return (
    status?.conditions?.some(
      ({ type, status: value }) => (type === "Complete" || type === "Failed") && value === "True",
    ) ?? false
  );
}
