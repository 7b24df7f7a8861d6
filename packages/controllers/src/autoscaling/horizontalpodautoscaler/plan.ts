/**
 * How many replicas a HorizontalPodAutoscaler wants while no metrics are served: pure. Without metrics only the limits
 * move a target.
 *
 * Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, reconcileAutoscaler.
 */
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerCondition } from "@binnacle/api";
import { msToTime } from "@binnacle/apimachinery";

/** What is to be done about a target. */
export interface ScalePlan {
  readonly desired: number;
  /** Why the size changes. Absent: it stays. */
  readonly reason?: string;
  readonly conditions: readonly HorizontalPodAutoscalerCondition[];
  /** Why no size could be computed. */
  readonly failure?: string;
}

const NOT_SERVED = "the server could not find the requested resource (get pods.metrics.k8s.io)";

export function planScale(autoscaler: HorizontalPodAutoscaler, current: number, nowMs: number): ScalePlan {
  const { minReplicas = 1, maxReplicas } = autoscaler.spec;
  const set = setterOf(autoscaler, nowMs);
  set(
    "AbleToScale",
    "True",
    "SucceededGetScale",
    "the HPA controller was able to get the target's current scale",
  );
  if (current === 0 && minReplicas !== 0) {
    const message = "scaling is disabled since the replica count of the target is zero";
    return { desired: 0, conditions: set("ScalingActive", "False", "ScalingDisabled", message) };
  }
  const limit =
    current > maxReplicas
      ? { desired: maxReplicas, reason: "Current number of replicas above Spec.MaxReplicas" }
      : current < minReplicas
        ? { desired: minReplicas, reason: "Current number of replicas below Spec.MinReplicas" }
        : undefined;
  if (limit !== undefined) {
    const message = `the HPA controller was able to update the target scale to ${limit.desired}`;
    return { ...limit, conditions: set("AbleToScale", "True", "SucceededRescale", message) };
  }
  const failure = missingMetric(autoscaler);
  const message = `the HPA was unable to compute the replica count: ${failure}`;
  return {
    desired: autoscaler.status?.desiredReplicas ?? 0,
    conditions: set("ScalingActive", "False", failureReason(autoscaler), message),
    failure,
  };
}

/** The conditions when the target cannot be read. */
export function unreadableTarget(
  autoscaler: HorizontalPodAutoscaler,
  why: string,
  nowMs: number,
): readonly HorizontalPodAutoscalerCondition[] {
  const message = `the HPA controller was unable to get the target's current scale: ${why}`;
  return setterOf(autoscaler, nowMs)("AbleToScale", "False", "FailedGetScale", message);
}

function setterOf(autoscaler: HorizontalPodAutoscaler, nowMs: number) {
  const conditions = [...(autoscaler.status?.conditions ?? [])];
  return (type: string, status: string, reason: string, message: string) => {
    const index = conditions.findIndex((each) => each.type === type);
    const present = conditions[index];
    const lastTransitionTime =
      present?.status === status && present.lastTransitionTime !== undefined
        ? present.lastTransitionTime
        : msToTime(nowMs);
    const updated = { type, status, lastTransitionTime, reason, message };
    if (present === undefined) conditions.push(updated);
    else conditions[index] = updated;
    return conditions;
  };
}

function missingMetric({ spec }: HorizontalPodAutoscaler): string {
  const metric = spec.metrics?.[0];
  if (metric?.type === "Resource" && metric.resource !== undefined) {
    const { name, target } = metric.resource;
    const wanted = target.type === "Utilization" ? `${name} utilization` : `${name} usage`;
    return `failed to get ${wanted}: unable to get metrics for resource ${name}: unable to fetch metrics from resource metrics API: ${NOT_SERVED}`;
  }
  return `unable to fetch metrics from ${metric?.type === "External" ? "external" : "custom"} metrics API: no metrics are served`;
}

function failureReason({ spec }: HorizontalPodAutoscaler): string {
  switch (spec.metrics?.[0]?.type) {
    case "Pods":
      return "FailedGetPodsMetric";
    case "Object":
      return "FailedGetObjectMetric";
    case "External":
      return "FailedGetExternalMetric";
    case "ContainerResource":
      return "FailedGetContainerResourceMetric";
    default:
      return "FailedGetResourceMetric";
  }
}
