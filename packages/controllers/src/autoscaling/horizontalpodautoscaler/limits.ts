/**
 * From what the load asks for to what may be done now: stabilization, speed and bounds. Pure.
 *
 * Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go.
 */
import type { HorizontalPodAutoscaler, HPAScalingRules } from "@binnacle/api";

/** Source: kubernetes v1.36 pkg/controller/podautoscaler/config/v1alpha1/defaults.go. */
const DEFAULT_STABILIZATION_SECONDS = 300;

/** A number of replicas, and when it was asked for or added. */
export interface Dated {
  readonly count: number;
  readonly atMs: number;
}

/** What an autoscaler remembers between its rounds. */
export interface History {
  readonly recommendations: readonly Dated[];
  /** Replicas added or taken, in the past. */
  readonly scaleUps: readonly Dated[];
  readonly scaleDowns: readonly Dated[];
}

export const noHistory: History = { recommendations: [], scaleUps: [], scaleDowns: [] };

export interface Limited {
  readonly replicas: number;
  readonly ableToScale: readonly [reason: string, message: string];
  readonly scalingLimited: readonly [status: "True" | "False", reason: string, message: string];
}

const WITHIN: readonly [string, string] = [
  "DesiredWithinRange",
  "the desired count is within the acceptable range",
];
const TOO_FEW: readonly [string, string] = [
  "TooFewReplicas",
  "the desired replica count is less than the minimum replica count",
];
const TOO_MANY: readonly [string, string] = [
  "TooManyReplicas",
  "the desired replica count is more than the maximum replica count",
];
const UP_LIMIT: readonly [string, string] = [
  "ScaleUpLimit",
  "the desired replica count is increasing faster than the maximum scale rate",
];
const DOWN_LIMIT: readonly [string, string] = [
  "ScaleDownLimit",
  "the desired replica count is decreasing faster than the maximum scale rate",
];

/** The number of replicas to have now. */
export function limitReplicas(
  hpa: HorizontalPodAutoscaler,
  current: number,
  wanted: number,
  history: History,
  nowMs: number,
): Limited {
  const { behavior, maxReplicas } = hpa.spec;
  const minReplicas = hpa.spec.minReplicas ?? 1;
  const stabilized = stabilize(current, wanted, history, behavior?.scaleUp, behavior?.scaleDown, nowMs);
  const ableToScale: Limited["ableToScale"] =
    stabilized === wanted
      ? ["ReadyForNewScale", "recommended size matches current size"]
      : stabilized > wanted
        ? [
            "ScaleDownStabilized",
            "recent recommendations were higher than current one, applying the highest recent recommendation",
          ]
        : [
            "ScaleUpStabilized",
            "recent recommendations were lower than current one, applying the lowest recent recommendation",
          ];
  const [replicas, [reason, message]] =
    behavior === undefined
      ? bound(stabilized, minReplicas, maxReplicas, Math.max(2 * current, 4), Number.NEGATIVE_INFINITY)
      : bound(
          stabilized,
          minReplicas,
          maxReplicas,
          stabilized > current
            ? upLimit(current, behavior.scaleUp, history, nowMs)
            : Number.POSITIVE_INFINITY,
          stabilized < current
            ? downLimit(current, behavior.scaleDown, history, nowMs)
            : Number.NEGATIVE_INFINITY,
        );
  return {
    replicas,
    ableToScale,
    scalingLimited: [replicas === stabilized ? "False" : "True", reason, message],
  };
}

/** Not lower than lately when shrinking, not higher than lately when growing. */
function stabilize(
  current: number,
  wanted: number,
  { recommendations }: History,
  scaleUp: HPAScalingRules | undefined,
  scaleDown: HPAScalingRules | undefined,
  nowMs: number,
): number {
  const since = (seconds: number) =>
    recommendations.filter((each) => each.atMs > nowMs - seconds * 1000).map((each) => each.count);
  const lowest = Math.min(wanted, ...since(scaleUp?.stabilizationWindowSeconds ?? 0));
  const highest = Math.max(
    wanted,
    ...since(scaleDown?.stabilizationWindowSeconds ?? DEFAULT_STABILIZATION_SECONDS),
  );
  let result = current;
  if (result < lowest) result = lowest;
  if (result > highest) result = highest;
  // Without rules of its own an autoscaler takes the highest recent recommendation as it is.
  return scaleUp === undefined && scaleDown === undefined ? highest : result;
}

function bound(
  wanted: number,
  minReplicas: number,
  maxReplicas: number,
  upTo: number,
  downTo: number,
): [number, readonly [string, string]] {
  const [top, whyTop] = upTo < maxReplicas ? [upTo, UP_LIMIT] : [maxReplicas, TOO_MANY];
  const [bottom, whyBottom] = downTo > minReplicas ? [downTo, DOWN_LIMIT] : [minReplicas, TOO_FEW];
  if (wanted < bottom) return [bottom, whyBottom];
  if (wanted > top) return [top, whyTop];
  return [wanted, WITHIN];
}

function upLimit(
  current: number,
  rules: HPAScalingRules | undefined,
  history: History,
  nowMs: number,
): number {
  if (rules?.selectPolicy === "Disabled") return current;
  const limits = (rules?.policies ?? []).map(({ type, value, periodSeconds }) => {
    const start =
      current - sum(history.scaleUps, periodSeconds, nowMs) + sum(history.scaleDowns, periodSeconds, nowMs);
    return type === "Pods" ? start + value : Math.ceil(start * (1 + value / 100));
  });
  if (limits.length === 0) return Number.POSITIVE_INFINITY;
  return rules?.selectPolicy === "Min" ? Math.min(...limits) : Math.max(...limits);
}

function downLimit(
  current: number,
  rules: HPAScalingRules | undefined,
  history: History,
  nowMs: number,
): number {
  if (rules?.selectPolicy === "Disabled") return current;
  const limits = (rules?.policies ?? []).map(({ type, value, periodSeconds }) => {
    const start =
      current + sum(history.scaleDowns, periodSeconds, nowMs) - sum(history.scaleUps, periodSeconds, nowMs);
    return type === "Pods" ? start - value : Math.trunc(start * (1 - value / 100));
  });
  if (limits.length === 0) return Number.NEGATIVE_INFINITY;
  return rules?.selectPolicy === "Min" ? Math.max(...limits) : Math.min(...limits);
}

function sum(events: readonly Dated[], periodSeconds: number, nowMs: number): number {
  return events
    .filter((each) => each.atMs > nowMs - periodSeconds * 1000)
    .reduce((total, each) => total + each.count, 0);
}

/** The history with one more recommendation and, where the size has changed, the change; what is too old to matter is dropped. */
export function remember(
  hpa: HorizontalPodAutoscaler,
  history: History,
  recommendation: number | undefined,
  change: number,
  nowMs: number,
): History {
  const { scaleUp, scaleDown } = hpa.spec.behavior ?? {};
  const windows = [
    DEFAULT_STABILIZATION_SECONDS,
    scaleUp?.stabilizationWindowSeconds ?? 0,
    scaleDown?.stabilizationWindowSeconds ?? 0,
    ...[...(scaleUp?.policies ?? []), ...(scaleDown?.policies ?? [])].map((policy) => policy.periodSeconds),
  ];
  const oldest = nowMs - Math.max(...windows) * 1000;
  const add = (dated: readonly Dated[], count: number | undefined): Dated[] => [
    ...dated.filter((each) => each.atMs > oldest),
    ...(count === undefined ? [] : [{ count, atMs: nowMs }]),
  ];
  return {
    recommendations: add(history.recommendations, recommendation),
    scaleUps: add(history.scaleUps, change > 0 ? change : undefined),
    scaleDowns: add(history.scaleDowns, change < 0 ? -change : undefined),
  };
}
