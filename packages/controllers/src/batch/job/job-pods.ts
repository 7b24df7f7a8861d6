/** What a Job knows about its pods: pure. Source: kubernetes v1.36 pkg/controller/job/job_controller.go. */
import type { Job, Pod } from "@binnacle/api";
import { timeToMs } from "@binnacle/apimachinery";
import { isPodTerminating, podCondition } from "../../pod-control/pod-state.ts";

export const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";
export const COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
export const INDEX_FAILURES = "batch.kubernetes.io/job-index-failure-count";

export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
}

export function isIndexed(job: Job): boolean {
  return job.spec.completionMode === "Indexed";
}

/** The index that the pod works on; undefined when it has none below the number of completions. */
export function completionIndex(job: Job, pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[COMPLETION_INDEX];
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const index = Number(text);
  return index < (job.spec.completions ?? 0) ? index : undefined;
}

/**
 * Whether the pod has failed, or is being deleted and so will never succeed. Where replacements wait for the failed
 * phase, deletion alone does not count.
 */
export function hasFailed(job: Job, pod: Pod): boolean {
  const phase = pod.status?.phase;
  if (phase === "Failed") return true;
  if (job.spec.podReplacementPolicy === "Failed") return false;
  return isPodTerminating(pod) && phase !== "Succeeded";
}

export function hasSucceeded(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded";
}

/** How often the index had failed before this pod. */
export function earlierIndexFailures(pod: Pod): number {
  return Number(pod.metadata.annotations?.[INDEX_FAILURES] ?? 0) || 0;
}

/** When the pod's last container ended, or the best guess. */
export function finishedAtMs(pod: Pod): number {
  const statuses = pod.status?.containerStatuses ?? [];
  const ends = statuses.map((status) => timeToMs(status.state?.terminated?.finishedAt));
  if (ends.length > 0 && !ends.some(Number.isNaN)) return Math.max(...ends);
  const guesses = [
    podCondition(pod, "Ready")?.lastTransitionTime,
    pod.metadata.deletionTimestamp,
    pod.metadata.creationTimestamp,
  ];
  return guesses.map(timeToMs).find((ms) => !Number.isNaN(ms)) ?? 0;
}

/** Containers that are started again instead of whole pods count their restarts towards the limit. */
export function restartsExceedLimit(job: Job, pods: readonly Pod[]): boolean {
  if (job.spec.template.spec.restartPolicy !== "OnFailure") return false;
  const limit = job.spec.backoffLimit ?? 0;
  let restarts = 0;
  for (const pod of pods) {
    if (pod.status?.phase !== "Running" && pod.status?.phase !== "Pending") continue;
    for (const status of [
      ...(pod.status.initContainerStatuses ?? []),
      ...(pod.status.containerStatuses ?? []),
    ])
      restarts += status.restartCount;
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}
