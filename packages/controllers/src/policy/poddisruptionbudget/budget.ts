/**
 * How many pods of a budget may be disrupted: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/disruption/disruption.go.
 */
import type { Pod, PodDisruptionBudget, PodDisruptionBudgetStatus } from "@binnacle/api";
import { type Condition, timeToMs } from "@binnacle/apimachinery";
import { setCondition } from "@binnacle/controller-runtime";
import { scaledValue } from "../../apps/deployment/rollout-limits.ts";
import { isPodReady, isPodTerminating } from "../../pod-control/pod-state.ts";

/** A pod that was promised to be deleted is believed to go for so long. Source: disruption.go, DeletionTimeout. */
const DELETION_TIMEOUT_MS = 120_000;

/** How many healthy pods the budget asks for, of how many; `scale` is the sum of the sizes of the pods' controllers. */
export function healthyWanted(
  { spec }: PodDisruptionBudget,
  podCount: number,
  scale: number,
): { expected: number; desired: number } {
  if (spec.maxUnavailable !== undefined) {
    const unavailable = scaledValue(spec.maxUnavailable, scale, Math.ceil);
    return { expected: scale, desired: Math.max(0, scale - unavailable) };
  }
  if (typeof spec.minAvailable === "number") return { expected: podCount, desired: spec.minAvailable };
  if (spec.minAvailable === undefined) return { expected: 0, desired: 0 };
  return { expected: scale, desired: scaledValue(spec.minAvailable, scale, Math.ceil) };
}

/** Whether the budget is a share of what the pods' controllers are meant to have, or counts from there. */
export function needsScale({ spec }: PodDisruptionBudget): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === "string";
}

/** Pods that are promised to go and have not begun to, and when the next promise runs out. */
export function pendingDisruptions(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  nowMs: number,
): { pending: Record<string, string>; expired: readonly Pod[]; recheckMs: number | undefined } {
  const promised = budget.status?.disruptedPods ?? {};
  const pending: Record<string, string> = {};
  const expired: Pod[] = [];
  let recheckMs: number | undefined;
  for (const pod of pods) {
    const name = pod.metadata.name ?? "";
    const since = Object.hasOwn(promised, name) ? promised[name] : undefined;
    if (since === undefined || isPodTerminating(pod)) continue;
    const leftMs = timeToMs(since) + DELETION_TIMEOUT_MS - nowMs;
    if (leftMs <= 0) {
      expired.push(pod);
      continue;
    }
    Object.defineProperty(pending, name, {
      value: since,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    recheckMs = recheckMs === undefined ? leftMs : Math.min(recheckMs, leftMs);
  }
  return { pending, expired, recheckMs };
}

/** Pods that are ready and neither going nor promised to go. */
export function countHealthy(pods: readonly Pod[], pending: Readonly<Record<string, string>>): number {
  return pods.filter(
    (pod) => !isPodTerminating(pod) && !Object.hasOwn(pending, pod.metadata.name ?? "") && isPodReady(pod),
  ).length;
}

export function budgetStatus(
  budget: PodDisruptionBudget,
  numbers: { readonly healthy: number; readonly desired: number; readonly expected: number },
  pending: Record<string, string>,
  nowMs: number,
): PodDisruptionBudgetStatus {
  const { healthy, desired, expected } = numbers;
  const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
  return {
    observedGeneration: budget.metadata.generation ?? 0,
    ...(Object.keys(pending).length === 0 ? {} : { disruptedPods: pending }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: withDisruptionAllowed(
      budget,
      allowed > 0 ? ["True", "SufficientPods"] : ["False", "InsufficientPods"],
      "",
      nowMs,
    ),
  };
}

/** When the numbers cannot be known, nothing may be disrupted. */
export function failedStatus(
  budget: PodDisruptionBudget,
  why: string,
  nowMs: number,
): PodDisruptionBudgetStatus {
  return {
    ...budget.status,
    disruptionsAllowed: 0,
    conditions: withDisruptionAllowed(budget, ["False", "SyncFailed"], why, nowMs),
  };
}

function withDisruptionAllowed(
  budget: PodDisruptionBudget,
  [status, reason]: readonly ["True" | "False", string],
  message: string,
  nowMs: number,
): Condition[] {
  const observedGeneration = budget.metadata.generation ?? 0;
  const condition = { type: "DisruptionAllowed", status, observedGeneration, reason, message };
  return [...setCondition<Condition>(budget.status?.conditions ?? [], condition, nowMs)];
}
