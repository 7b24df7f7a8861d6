import type { HorizontalPodAutoscaler, HPAScalingRules } from "../../generated/autoscaling-v2.generated.ts";

const DEFAULT_CPU_UTILIZATION = 80;

/** Source: kubernetes v1.36 pkg/apis/autoscaling/v2/defaults.go, SetDefaults_HorizontalPodAutoscaler. */
export function setHorizontalPodAutoscalerDefaults({ spec }: HorizontalPodAutoscaler): void {
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) {
    const target = { type: "Utilization", averageUtilization: DEFAULT_CPU_UTILIZATION };
    spec.metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
  }
  const { behavior } = spec;
  if (behavior === undefined) return;
  behavior.scaleUp = withDefaults(behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ],
  });
  behavior.scaleDown = withDefaults(behavior.scaleDown, {
    selectPolicy: "Max",
    policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
  });
}

function withDefaults(rules: HPAScalingRules | undefined, defaults: HPAScalingRules): HPAScalingRules {
  const filled: HPAScalingRules = {};
  const stabilizationWindowSeconds = rules?.stabilizationWindowSeconds ?? defaults.stabilizationWindowSeconds;
  if (stabilizationWindowSeconds !== undefined)
    filled.stabilizationWindowSeconds = stabilizationWindowSeconds;
  filled.selectPolicy = rules?.selectPolicy ?? defaults.selectPolicy ?? "Max";
  filled.policies = rules?.policies ?? defaults.policies ?? [];
  if (rules?.tolerance !== undefined) filled.tolerance = rules.tolerance;
  return filled;
}
