import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "autoscaling.v1": {
    CrossVersionObjectReference: {
      ".": "atomic",
    },
    HorizontalPodAutoscalerSpec: {
      minReplicas: "pointer",
      targetCPUUtilizationPercentage: "pointer",
    },
    HorizontalPodAutoscalerStatus: {
      observedGeneration: "pointer",
      currentCPUUtilizationPercentage: "pointer",
    },
  },
  "autoscaling.v2": {
    HPAScalingRules: {
      stabilizationWindowSeconds: "pointer",
      selectPolicy: "pointer",
    },
    HorizontalPodAutoscalerCondition: {
      lastTransitionTime: "value",
    },
    HorizontalPodAutoscalerSpec: {
      minReplicas: "pointer",
    },
    HorizontalPodAutoscalerStatus: {
      conditions: "map(type) merge(type)",
      observedGeneration: "pointer",
      currentMetrics: "value",
    },
    MetricTarget: {
      averageUtilization: "pointer",
    },
    MetricValueStatus: {
      averageUtilization: "pointer",
    },
  },
};
