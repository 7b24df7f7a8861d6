/** What the conditions and the phase of a pod amount to. Source: kubernetes v1.36 pkg/api/v1/pod/util.go. */
import type { Pod, PodCondition } from "@binnacle/api";
import { timeToMs } from "@binnacle/apimachinery";

export function podCondition(pod: Pod, type: string): PodCondition | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type);
}

export function isPodReady(pod: Pod): boolean {
  return podCondition(pod, "Ready")?.status === "True";
}

/** Ready, and has been for `minReadySeconds`. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  return availableInMs(pod, minReadySeconds, nowMs) === 0;
}

/** How long until the pod is available if it stays ready; undefined while it is not ready. */
export function availableInMs(pod: Pod, minReadySeconds: number, nowMs: number): number | undefined {
  const ready = podCondition(pod, "Ready");
  if (ready?.status !== "True") return undefined;
  if (minReadySeconds === 0) return 0;
  const sinceMs = timeToMs(ready.lastTransitionTime);
  if (Number.isNaN(sinceMs)) return undefined;
  return Math.max(0, sinceMs + minReadySeconds * 1000 - nowMs);
}

/** Finished, one way or the other: it will not run again. */
export function isPodFinished(pod: Pod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Neither finished nor being deleted. */
export function isPodActive(pod: Pod): boolean {
  return !isPodFinished(pod) && !isPodTerminating(pod);
}

/** Being deleted and not finished yet. */
export function isPodStopping(pod: Pod): boolean {
  return !isPodFinished(pod) && isPodTerminating(pod);
}

export function isPodTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionTimestamp !== null;
}
