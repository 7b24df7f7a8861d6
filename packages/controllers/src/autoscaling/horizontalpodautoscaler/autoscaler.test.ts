import type { HorizontalPodAutoscaler, Pod } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { type History, limitReplicas, noHistory, remember } from "./limits.ts";
import type { PodMetrics } from "./metrics-client.ts";
import {
  defaultTolerances,
  groupPods,
  replicasForAverage,
  replicasForTotal,
  replicasForUtilization,
} from "./replica-calculator.ts";

const NOW = Date.UTC(2026, 0, 1, 1);

function pod(
  name: string,
  options: { ready?: boolean; phase?: string; startedAgoMs?: number; cpu?: string } = {},
): Pod {
  const { ready = true, phase = "Running", startedAgoMs = 3_600_000, cpu = "1" } = options;
  const startTime = new Date(NOW - startedAgoMs).toISOString();
  return {
    metadata: { name },
    spec: { containers: [{ name: "c", resources: { requests: { cpu } } }] },
    status: {
      phase,
      startTime,
      conditions: [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime: startTime }],
    },
  };
}

function metrics(values: Record<string, number>): PodMetrics {
  return new Map(
    Object.entries(values).map(([name, valueMillis]) => [name, { valueMillis, atMs: NOW, windowMs: 30_000 }]),
  );
}

describe("groupPods", () => {
  it("leaves out pods that are dying, waiting, unmeasured or just starting", () => {
    const pods = [
      pod("ready"),
      pod("failed", { phase: "Failed" }),
      pod("pending", { phase: "Pending" }),
      pod("unmeasured"),
      pod("starting", { ready: false, startedAgoMs: 60_000 }),
    ];
    const groups = groupPods(pods, metrics({ ready: 1, failed: 1, pending: 1, starting: 1 }), "cpu", NOW);
    expect({
      ready: groups.readyCount,
      unready: [...groups.unready],
      missing: [...groups.missing],
      ignored: [...groups.ignored],
    }).toEqual({
      ready: 1,
      unready: ["pending", "starting"],
      missing: ["unmeasured"],
      ignored: ["failed"],
    });
  });
});

describe("replicasForUtilization", () => {
  const calculate = (pods: Pod[], values: Record<string, number>, targetPercent = 50) =>
    replicasForUtilization({
      current: pods.length,
      targetPercent,
      pods,
      metrics: metrics(values),
      resource: "cpu",
      container: undefined,
      tolerances: defaultTolerances,
      nowMs: NOW,
    });

  it.each([
    ["grows with the load", { a: 1000, b: 1000 }, 4],
    ["shrinks with the load", { a: 100, b: 100 }, 1],
    ["stays within the tolerance", { a: 520, b: 530 }, 2],
  ])("%s", (_, values, replicas) => {
    expect(calculate([pod("a"), pod("b")], values).replicas).toBe(replicas);
  });

  it("tells the utilization and the average", () => {
    expect(calculate([pod("a"), pod("b")], { a: 1000, b: 500 })).toMatchObject({
      utilization: 75,
      averageMillis: 750,
    });
  });

  it("takes pods that are not measured for busy when shrinking and for idle when growing", () => {
    expect(calculate([pod("a"), pod("b")], { a: 100 }).replicas).toBe(2);
    expect(calculate([pod("a"), pod("b")], { a: 600 }).replicas).toBe(2);
    expect(calculate([pod("a"), pod("b")], { a: 2000 }).replicas).toBe(4);
  });

  it("says what is missing", () => {
    const bare = pod("a");
    bare.spec.containers = [{ name: "c" }];
    expect(() => calculate([bare], { a: 1 })).toThrow("missing request for cpu in container c of Pod a");
    expect(() => calculate([], { a: 1 })).toThrow(
      "no pods returned by selector while calculating replica count",
    );
    expect(() => calculate([pod("a")], { b: 1 })).toThrow(
      "did not receive metrics for targeted pods (pods might be unready)",
    );
  });
});

describe("replicas for other targets", () => {
  it("follow the average of the pods", () => {
    const pods = [pod("a"), pod("b")];
    const base = {
      current: 2,
      targetMillis: 1000,
      pods,
      resource: undefined,
      tolerances: defaultTolerances,
      nowMs: NOW,
    };
    expect(replicasForAverage({ ...base, metrics: metrics({ a: 3000, b: 1000 }) }).replicas).toBe(4);
    expect(replicasForAverage({ ...base, metrics: metrics({ a: 1000, b: 1050 }) }).replicas).toBe(2);
  });

  it.each([
    [{ isPerPod: true, totalMillis: 9000 }, 9],
    [{ isPerPod: true, totalMillis: 2100 }, 2],
    [{ isPerPod: false, totalMillis: 3000 }, 6],
    [{ isPerPod: false, totalMillis: 1000 }, 2],
  ])("follow a total: %o", (input, replicas) => {
    expect(
      replicasForTotal({
        current: 2,
        readyCount: 2,
        targetMillis: 1000,
        tolerances: defaultTolerances,
        ...input,
      }).replicas,
    ).toBe(replicas);
  });
});

describe("limitReplicas", () => {
  const hpa = (spec: Partial<HorizontalPodAutoscaler["spec"]> = {}): HorizontalPodAutoscaler => ({
    metadata: { name: "h" },
    spec: { minReplicas: 2, maxReplicas: 20, scaleTargetRef: { kind: "Deployment", name: "d" }, ...spec },
  });
  const limit = (
    object: HorizontalPodAutoscaler,
    current: number,
    wanted: number,
    history: History = noHistory,
  ) => {
    const { replicas, ableToScale, scalingLimited } = limitReplicas(object, current, wanted, history, NOW);
    return [replicas, ableToScale[0], scalingLimited[1]];
  };
  const ago = (seconds: number, count: number) => ({ count, atMs: NOW - seconds * 1000 });

  it.each([
    ["within bounds", hpa(), 4, 6, noHistory, [6, "ReadyForNewScale", "DesiredWithinRange"]],
    ["too few", hpa(), 4, 1, noHistory, [2, "ReadyForNewScale", "TooFewReplicas"]],
    ["too many", hpa({ maxReplicas: 5 }), 4, 9, noHistory, [5, "ReadyForNewScale", "TooManyReplicas"]],
    ["at most double", hpa(), 3, 15, noHistory, [6, "ReadyForNewScale", "ScaleUpLimit"]],
    ["four at least", hpa(), 2, 15, noHistory, [4, "ReadyForNewScale", "ScaleUpLimit"]],
    [
      "not below what was asked for lately",
      hpa(),
      8,
      3,
      { ...noHistory, recommendations: [ago(100, 7), ago(400, 9)] },
      [7, "ScaleDownStabilized", "DesiredWithinRange"],
    ],
  ] as const)("%s", (_, object, current, wanted, history, expected) => {
    expect(limit(object, current, wanted, history)).toEqual(expected);
  });

  it("keeps to the rules of the autoscaler", () => {
    const rules = (scaleUp: object, scaleDown: object = {}) => hpa({ behavior: { scaleUp, scaleDown } });
    const pods = { policies: [{ type: "Pods", value: 2, periodSeconds: 60 }] };
    expect(limit(rules(pods), 4, 10)).toEqual([6, "ReadyForNewScale", "ScaleUpLimit"]);
    expect(limit(rules(pods), 4, 10, { ...noHistory, scaleUps: [ago(30, 1)] })[0]).toBe(5);
    const both = { policies: [...pods.policies, { type: "Percent", value: 100, periodSeconds: 60 }] };
    expect(limit(rules(both), 4, 20)[0]).toBe(8);
    expect(limit(rules({ ...both, selectPolicy: "Min" }), 4, 20)[0]).toBe(6);
    expect(limit(rules({ selectPolicy: "Disabled" }), 4, 20)[0]).toBe(4);
    const down = {
      stabilizationWindowSeconds: 0,
      policies: [{ type: "Percent", value: 50, periodSeconds: 60 }],
    };
    expect(limit(rules({}, down), 10, 2)).toEqual([5, "ReadyForNewScale", "ScaleDownLimit"]);
  });

  it("remembers as long as a window is open", () => {
    const first = remember(hpa(), noHistory, 5, 2, NOW - 200_000);
    const second = remember(hpa(), first, 3, 0, NOW);
    expect(second.recommendations.map((each) => each.count)).toEqual([5, 3]);
    expect(remember(hpa(), second, undefined, -1, NOW + 200_000)).toEqual({
      recommendations: [{ count: 3, atMs: NOW }],
      scaleUps: [],
      scaleDowns: [{ count: 1, atMs: NOW + 200_000 }],
    });
  });
});
