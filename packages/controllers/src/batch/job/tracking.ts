/**
 * Counting pods that ended exactly once, although they may vanish at any time: a pod keeps a finalizer until it is
 * listed in the status, and is moved from the list into the number once the finalizer is off. Pure.
 *
 * Source: kubernetes v1.36 pkg/controller/job/job_controller.go, trackJobStatusAndRemoveFinalizers.
 */
import type { Job, JobStatus, Pod } from "@binnacle/api";
import { judgeFailure } from "./failure-policy.ts";
import { addIndexes, countIndexes, formatIndexes, hasIndex, parseIndexes } from "./index-ranges.ts";
import { hasLimitPerIndex, type JobView } from "./job-plan.ts";
import { completionIndex, hasFailed, hasSucceeded, isIndexed, isTracked } from "./job-pods.ts";

/** Source: job_controller.go, MaxUncountedPods. */
const MAX_UNCOUNTED = 500;

/** Moves pods that no longer have the finalizer from the lists into the numbers. */
export function countReleased(status: JobStatus, uidsWithFinalizer: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const keptSucceeded = succeeded.filter((uid) => uidsWithFinalizer.has(uid));
  const keptFailed = failed.filter((uid) => uidsWithFinalizer.has(uid));
  return {
    ...status,
    ...numbers(
      (status.succeeded ?? 0) + succeeded.length - keptSucceeded.length,
      (status.failed ?? 0) + failed.length - keptFailed.length,
    ),
    uncountedTerminatedPods: lists(keptSucceeded, keptFailed),
  };
}

/**
 * The status with the pods that ended listed (of a Job that has failed all pods, of one that has succeeded none of those
 * that are stopped), and the pods that may lose their finalizer once that is stored.
 */
export function listEnded(
  view: JobView,
  status: JobStatus,
  outcome: "open" | "succeeded" | "failed",
  isIgnored: (pod: Pod) => boolean,
): { status: JobStatus; release: Pod[]; isPartial: boolean } {
  const { job } = view;
  const isOver = outcome !== "open";
  const release: Pod[] = [];
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const newSucceeded = [...succeeded];
  const newFailed = [...failed];
  const before = parseIndexes(status.completedIndexes, job.spec.completions ?? 0);
  const newIndexes: number[] = [];
  let isPartial = false;
  for (const pod of byIndex(job, view.pods)) {
    if (!isTracked(pod) || isIgnored(pod)) continue;
    const uid = pod.metadata.uid ?? "";
    const index = isIndexed(job) ? completionIndex(job, pod) : undefined;
    if (!mayRelease(view, pod, isOver)) continue;
    release.push(pod);
    if (hasSucceeded(pod) && !failed.includes(uid)) {
      if (isIndexed(job)) {
        // The index itself says that it has been counted.
        if (index !== undefined && !hasIndex(before, index)) newIndexes.push(index);
      } else if (!succeeded.includes(uid)) newSucceeded.push(uid);
    } else if (
      (hasFailed(job, pod) || outcome === "failed") &&
      !failed.includes(uid) &&
      (!isIndexed(job) || index !== undefined)
    ) {
      if (judgeFailure(job.spec.podFailurePolicy, pod).isCounted) newFailed.push(uid);
    }
    if (newIndexes.length + newSucceeded.length + newFailed.length >= MAX_UNCOUNTED) {
      isPartial = true;
      break;
    }
  }
  const listed: JobStatus = { ...status, uncountedTerminatedPods: lists(newSucceeded, newFailed) };
  return {
    status: isIndexed(job) ? withIndexes(view, listed, addIndexes(before, newIndexes)) : listed,
    release,
    isPartial,
  };
}

/** Pods that ended, all pods of a Job that is over or going, but not the one that its index's next try looks at. */
function mayRelease({ job, toReplace }: JobView, pod: Pod, isOver: boolean): boolean {
  if (job.metadata.deletionTimestamp !== undefined || isOver || hasSucceeded(pod)) return true;
  if (!hasFailed(job, pod)) return false;
  const index = completionIndex(job, pod);
  return index === undefined || toReplace.get(index) !== pod;
}

function withIndexes(view: JobView, status: JobStatus, completed: ReturnType<typeof addIndexes>): JobStatus {
  const { completedIndexes: _, failedIndexes: __, ...rest } = status;
  const completedText = formatIndexes(completed);
  return {
    ...rest,
    ...numbers(countIndexes(completed), status.failed ?? 0),
    ...(completedText === "" ? {} : { completedIndexes: completedText }),
    ...(hasLimitPerIndex(view.job) ? { failedIndexes: formatIndexes(view.failedIndexes) } : {}),
  };
}

function byIndex(job: Job, pods: readonly Pod[]): readonly Pod[] {
  if (!isIndexed(job)) return pods;
  const order = (pod: Pod): number => completionIndex(job, pod) ?? Number.POSITIVE_INFINITY;
  return [...pods].sort((a, b) => order(a) - order(b) || 0);
}

function numbers(succeeded: number, failed: number): Pick<JobStatus, "succeeded" | "failed"> {
  return { ...(succeeded === 0 ? {} : { succeeded }), ...(failed === 0 ? {} : { failed }) };
}

function lists(succeeded: string[], failed: string[]): NonNullable<JobStatus["uncountedTerminatedPods"]> {
  return { ...(succeeded.length === 0 ? {} : { succeeded }), ...(failed.length === 0 ? {} : { failed }) };
}
