/** How far a rollout may go beyond and below the wanted size. Source: kubernetes v1.36 deployment_util.go. */
import type { Deployment } from "@binnacle/api";

/** How many pods more than wanted there may be. */
export function maxSurge(deployment: Deployment): number {
  return isRollingUpdate(deployment) ? fenceposts(deployment).surge : 0;
}

/** How many pods fewer than wanted may be available. */
export function maxUnavailable(deployment: Deployment): number {
  const replicas = deployment.spec.replicas ?? 1;
  if (!isRollingUpdate(deployment) || replicas === 0) return 0;
  return Math.min(replicas, fenceposts(deployment).unavailable);
}

export function isRollingUpdate(deployment: Deployment): boolean {
  return (deployment.spec.strategy?.type ?? "RollingUpdate") === "RollingUpdate";
}

/** A share is rounded up for surge and down for unavailability; both zero would never get anywhere. */
function fenceposts(deployment: Deployment): { surge: number; unavailable: number } {
  const replicas = deployment.spec.replicas ?? 1;
  const { maxSurge: surgeSpec, maxUnavailable: unavailableSpec } =
    deployment.spec.strategy?.rollingUpdate ?? {};
  const surge = scaledValue(surgeSpec ?? 0, replicas, Math.ceil);
  const unavailable = scaledValue(unavailableSpec ?? 0, replicas, Math.floor);
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

/**
 * A number as it is, a percentage of `total` rounded.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/intstr/intstr.go, GetScaledValueFromIntOrPercent.
 */
export function scaledValue(value: number | string, total: number, round: (value: number) => number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  return percent === undefined ? 0 : round((Number(percent) * total) / 100);
}
