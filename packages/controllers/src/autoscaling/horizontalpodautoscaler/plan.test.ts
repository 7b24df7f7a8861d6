import type { HorizontalPodAutoscaler } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { planScale } from "./plan.ts";

const NOW = Date.UTC(2026, 0, 1);
const autoscaler: HorizontalPodAutoscaler = {
  metadata: { name: "a" },
  spec: {
    scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
    minReplicas: 2,
    maxReplicas: 5,
    metrics: [
      {
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } },
      },
    ],
  },
};

describe("planScale", () => {
  it.each([
    [1, 2, "Current number of replicas below Spec.MinReplicas"],
    [9, 5, "Current number of replicas above Spec.MaxReplicas"],
  ])("brings %i replicas to the limit %i", (current, desired, reason) => {
    const plan = planScale(autoscaler, current, NOW);
    expect(plan).toMatchObject({ desired, reason });
    expect(plan.conditions).toEqual([
      {
        type: "AbleToScale",
        status: "True",
        reason: "SucceededRescale",
        message: `the HPA controller was able to update the target scale to ${desired}`,
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ]);
  });

  it("leaves a target alone that somebody scaled to zero", () => {
    const plan = planScale(autoscaler, 0, NOW);
    expect(plan.reason).toBeUndefined();
    expect(plan.conditions.at(-1)).toMatchObject({ type: "ScalingActive", reason: "ScalingDisabled" });
  });

  it("says between the limits that there are no metrics", () => {
    const plan = planScale(autoscaler, 3, NOW);
    expect(plan.reason).toBeUndefined();
    expect(plan.conditions.at(-1)).toMatchObject({
      type: "ScalingActive",
      status: "False",
      reason: "FailedGetResourceMetric",
      message:
        "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)",
    });
  });
});
