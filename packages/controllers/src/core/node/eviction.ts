import { type Pod, type Taint, tolerates } from "@binnacle/api";

/**
 * Pure: after how many seconds under these NoExecute taints a pod must go; 0 at once, undefined never.
 *
 * Source: kubernetes v1.36 pkg/controller/tainteviction/taint_eviction.go.
 */
export function evictAfterSeconds(pod: Pod, taints: readonly Taint[]): number | undefined {
  const tolerations = pod.spec.tolerations ?? [];
  let soonest: number | undefined;
  for (const taint of taints.filter(({ effect }) => effect === "NoExecute")) {
    const matching = tolerations.filter((toleration) => tolerates(toleration, taint));
    if (matching.length === 0) return 0;
    for (const { tolerationSeconds } of matching) {
      if (tolerationSeconds === undefined) continue;
      soonest = Math.min(soonest ?? Number.POSITIVE_INFINITY, Math.max(0, tolerationSeconds));
    }
  }
  return soonest;
}
