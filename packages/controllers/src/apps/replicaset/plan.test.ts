import type { Pod } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { planScale, replicaStatus } from "./plan.ts";

const NOW = Date.UTC(2026, 0, 1);
const pod = (labels: Record<string, string>, isReady: boolean): Pod => ({
  metadata: { labels },
  spec: { containers: [] },
  status: {
    conditions: [
      { type: "Ready", status: isReady ? "True" : "False", lastTransitionTime: "2026-01-01T00:00:00Z" },
    ],
  },
});

describe("planScale", () => {
  it.each([
    [3, 1, { create: 2, delete: 0 }],
    [1, 3, { create: 0, delete: 2 }],
    [2, 2, { create: 0, delete: 0 }],
    [2000, 0, { create: 500, delete: 0 }],
    [0, 2000, { create: 0, delete: 500 }],
  ])("for %i wanted and %i there is %o", (desired, active, plan) => {
    expect(planScale(desired, active)).toEqual(plan);
  });
});

describe("replicaStatus", () => {
  const base = {
    replicas: 2,
    minReadySeconds: 0,
    template: { metadata: { labels: { app: "a" } }, spec: { containers: [] } },
    status: { replicas: 0 },
    terminating: 0,
    failure: undefined,
    generation: 1,
    nowMs: NOW,
  };

  it("counts pods as the recorded server does", () => {
    const pods = [pod({ app: "a", x: "y" }, true), pod({ app: "b" }, false)];
    expect(replicaStatus({ ...base, pods })).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      terminatingReplicas: 0,
      observedGeneration: 1,
    });
    expect(replicaStatus({ ...base, pods: [], terminating: undefined })).toEqual({
      replicas: 0,
      observedGeneration: 1,
    });
  });

  it("says why pods cannot be made, as long as they cannot", () => {
    const failed = replicaStatus({ ...base, pods: [], failure: new Error("quota") });
    expect(failed.conditions).toEqual([
      {
        type: "ReplicaFailure",
        status: "True",
        reason: "FailedCreate",
        message: "quota",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ]);
    const still = replicaStatus({
      ...base,
      status: failed,
      pods: [],
      failure: new Error("other"),
      nowMs: NOW + 5000,
    });
    expect(still.conditions).toEqual(failed.conditions);
    expect(replicaStatus({ ...base, status: failed, pods: [] })).not.toHaveProperty("conditions");
  });
});
