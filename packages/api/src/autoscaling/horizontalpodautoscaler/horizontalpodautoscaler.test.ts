import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
} from "../../generated/autoscaling-v2.generated.ts";
import { horizontalPodAutoscalerColumns } from "./columns.ts";
import { setHorizontalPodAutoscalerDefaults } from "./defaults.ts";
import { fromV1, toV1 } from "./v1/conversion.ts";
import { validateHorizontalPodAutoscaler } from "./validation.ts";

const scaleTargetRef = { kind: "Deployment", name: "d", apiVersion: "apps/v1" };

function hpa(spec: Partial<HorizontalPodAutoscalerSpec>): HorizontalPodAutoscaler {
  const object: HorizontalPodAutoscaler = {
    metadata: { name: "h" },
    spec: { scaleTargetRef, maxReplicas: 5, ...spec },
  };
  setHorizontalPodAutoscalerDefaults(object);
  return object;
}

describe("a horizontal pod autoscaler", () => {
  it("aims at 80 % CPU by default", () => {
    expect(hpa({}).spec).toEqual({
      scaleTargetRef,
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
        },
      ],
    });
  });

  it("has both rules once it has one", () => {
    expect(hpa({ behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } }).spec.behavior).toEqual({
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: "Max",
        policies: [
          { type: "Pods", value: 4, periodSeconds: 15 },
          { type: "Percent", value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: {
        stabilizationWindowSeconds: 60,
        selectPolicy: "Max",
        policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
      },
    });
  });

  // Texts as observed on a v1.36 API server.
  it.each<[Partial<HorizontalPodAutoscalerSpec>, string]>([
    [{}, ""],
    [
      { maxReplicas: 0 },
      "[spec.maxReplicas: Required value: must be set and greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`]",
    ],
    [
      { minReplicas: 0, maxReplicas: 1 },
      "[spec.minReplicas: Invalid value: 0: must be greater than or equal to 1, spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas]",
    ],
    [
      { scaleTargetRef: { kind: "a/b", name: "c%d" } },
      '[spec.scaleTargetRef.kind: Invalid value: "a/b": may not contain \'/\', spec.scaleTargetRef.name: Invalid value: "c%d": may not contain \'%\', spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group]',
    ],
    [
      { metrics: [{ type: "Nope" }] },
      'spec.metrics[0].type: Unsupported value: "Nope": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
    ],
    [
      { metrics: [{ type: "Resource" }] },
      "spec.metrics[0].resource: Required value: must populate information for the given metric source",
    ],
    [
      {
        metrics: [
          {
            type: "Pods",
            pods: { metric: { name: "" }, target: { type: "AverageValue" } },
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } },
          },
        ],
      },
      "[spec.metrics[0].pods.metric.name: Required value: must specify a metric name, spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue, spec.metrics[0].resource: Forbidden: must populate the given metric source only]",
    ],
  ])("with %j is judged", (spec, expected) => {
    const errors = validateHorizontalPodAutoscaler(hpa(spec));
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });

  it("is printed", () => {
    expect(horizontalPodAutoscalerColumns.map((column) => column.cell(hpa({}), { nowMs: 0 }))).toEqual([
      "h",
      "Deployment/d",
      "cpu: <unknown>/80%",
      "1",
      5,
      0,
      "<unknown>",
    ]);
  });
});

describe("autoscaling/v1", () => {
  const full = hpa({
    minReplicas: 2,
    metrics: [
      {
        type: "Resource",
        resource: { name: "memory", target: { type: "AverageValue", averageValue: "100Mi" } },
      },
      { type: "Pods", pods: { metric: { name: "q" }, target: { type: "AverageValue", averageValue: "1k" } } },
      {
        type: "External",
        external: {
          metric: { name: "e", selector: { matchLabels: { a: "b" } } },
          target: { type: "Value", value: "30" },
        },
      },
    ],
    behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
  });
  full.status = {
    desiredReplicas: 2,
    currentReplicas: 1,
    conditions: [{ type: "AbleToScale", status: "True" }],
  };

  it("keeps in annotations what it has no field for", () => {
    expect(toV1(full).metadata.annotations).toEqual({
      "autoscaling.alpha.kubernetes.io/behavior":
        '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":{"StabilizationWindowSeconds":60,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}',
      "autoscaling.alpha.kubernetes.io/metrics":
        '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"100Mi"}},{"type":"Pods","pods":{"metricName":"q","targetAverageValue":"1k"}},{"type":"External","external":{"metricName":"e","metricSelector":{"matchLabels":{"a":"b"}},"targetValue":"30"}}]',
      "autoscaling.alpha.kubernetes.io/conditions": '[{"type":"AbleToScale","status":"True"}]',
    });
  });

  it("loses nothing on the way there and back", () => {
    expect(fromV1(toV1(full))).toEqual(full);
    expect(fromV1(toV1(hpa({})))).toEqual({ ...hpa({}), status: { desiredReplicas: 0 } });
  });

  it("has a field for the CPU target", () => {
    expect(toV1(hpa({}))).toMatchObject({ spec: { targetCPUUtilizationPercentage: 80 } });
  });
});
