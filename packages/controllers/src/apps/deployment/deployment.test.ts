import type { Deployment, DeploymentStatus, ReplicaSet } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { areOldPodsRunning } from "./reconcile.ts";
import { findNewReplicaSet, newReplicaSetAnnotations } from "./revision.ts";
import { maxSurge, maxUnavailable, scaledValue } from "./rollout-limits.ts";
import { isScalingEvent, newReplicaSetSize, nextNewSize, resizeAll, shrinkOld } from "./sizes.ts";
import { deadlineInMs, deploymentStatus, pausedConditions, rolloutStatus } from "./status.ts";
import { templateHash } from "./template-hash.ts";

const NOW = Date.UTC(2026, 0, 1, 1);
const REVISION = "deployment.kubernetes.io/revision";

function deployment(spec: Partial<Deployment["spec"]> = {}, status?: DeploymentStatus): Deployment {
  return {
    metadata: { name: "d", namespace: "n", uid: "du", generation: 1 },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: "a" } },
      template: template("1"),
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
      progressDeadlineSeconds: 600,
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

function template(version: string) {
  return { metadata: { labels: { app: "a", v: version } }, spec: { containers: [] } };
}

interface Sizes {
  size: number;
  available?: number;
  replicas?: number;
  age?: number;
  annotations?: Record<string, string>;
  version?: string;
}

function replicaSet(name: string, sizes: Sizes): ReplicaSet {
  const { size, available = size, replicas = size, age = 0, annotations = {}, version = "1" } = sizes;
  return {
    metadata: { name, uid: name, creationTimestamp: new Date(NOW - age * 1000).toISOString(), annotations },
    spec: { replicas: size, selector: {}, template: template(version) },
    status: { replicas, availableReplicas: available, readyReplicas: available, terminatingReplicas: 0 },
  };
}

const sizesOf = (resizes: { replicaSet: ReplicaSet; replicas: number }[]) =>
  Object.fromEntries(resizes.map((each) => [each.replicaSet.metadata.name, each.replicas]));

describe("limits", () => {
  it.each([
    ["25%", 4, Math.ceil, 1],
    ["25%", 10, Math.ceil, 3],
    ["25%", 10, Math.floor, 2],
    [3, 10, Math.ceil, 3],
    ["x", 10, Math.ceil, 0],
  ])("scale %j of %i", (value, total, round, expected) => {
    expect(scaledValue(value, total, round)).toBe(expected);
  });

  it.each([
    [{ replicas: 4 }, 1, 1],
    [{ replicas: 1 }, 1, 0],
    [{ replicas: 0 }, 0, 0],
    [
      {
        replicas: 3,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: "1%" } },
      },
      0,
      1,
    ],
    [
      { replicas: 2, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 5 } } },
      1,
      2,
    ],
    [{ replicas: 4, strategy: { type: "Recreate" } }, 0, 0],
  ])("of %o are %i above and %i below", (spec, surge, unavailable) => {
    expect([maxSurge(deployment(spec)), maxUnavailable(deployment(spec))]).toEqual([surge, unavailable]);
  });
});

describe("a rolling update of 4 with 25 %", () => {
  const d = deployment({ replicas: 4 });

  it("starts with one new pod and one old fewer, as recorded", () => {
    const old = replicaSet("old", { size: 4, age: 10 });
    expect(newReplicaSetSize(d, [old], 0)).toBe(1);
    const newest = replicaSet("new", { size: 1, available: 0 });
    expect(nextNewSize(d, [old, newest], newest)).toBeUndefined();
    expect(sizesOf(shrinkOld(d, [old], newest))).toEqual({ old: 3 });
  });

  it("then grows the new one into the free place", () => {
    const old = replicaSet("old", { size: 3, age: 10 });
    const newest = replicaSet("new", { size: 1, available: 0 });
    expect(nextNewSize(d, [old, newest], newest)).toBe(2);
  });

  it("waits while too few pods are available", () => {
    const old = replicaSet("old", { size: 3, age: 10 });
    const newest = replicaSet("new", { size: 2, available: 0 });
    expect(nextNewSize(d, [old, newest], newest)).toBeUndefined();
    expect(shrinkOld(d, [old], newest)).toEqual([]);
  });

  it("goes on once new pods are available", () => {
    const old = replicaSet("old", { size: 3, age: 10 });
    const newest = replicaSet("new", { size: 2 });
    expect(sizesOf(shrinkOld(d, [old], newest))).toEqual({ old: 1 });
  });

  it("takes unhealthy old pods first, oldest ReplicaSet first", () => {
    const [a, b] = [
      replicaSet("a", { size: 3, available: 1, age: 20 }),
      replicaSet("b", { size: 2, age: 10 }),
    ];
    const newest = replicaSet("new", { size: 0 });
    expect(sizesOf(shrinkOld(d, [b, a], newest))).toEqual({ a: 1 });
  });

  it("shrinks a newest ReplicaSet that is too large", () => {
    const newest = replicaSet("new", { size: 6 });
    expect(nextNewSize(d, [newest], newest)).toBe(4);
  });
});

describe("resizing outside of a rollout", () => {
  const noted = (desired: number, max: number) => ({
    "deployment.kubernetes.io/desired-replicas": String(desired),
    "deployment.kubernetes.io/max-replicas": String(max),
  });

  it("is noticed by the size noted on the ReplicaSets", () => {
    expect(
      isScalingEvent(deployment({ replicas: 4 }), [replicaSet("a", { size: 3, annotations: noted(3, 4) })]),
    ).toBe(true);
    expect(
      isScalingEvent(deployment({ replicas: 4 }), [replicaSet("a", { size: 3, annotations: noted(4, 5) })]),
    ).toBe(false);
    expect(isScalingEvent(deployment({ replicas: 4 }), [replicaSet("a", { size: 3 })])).toBe(false);
  });

  it("gives all to the only active one", () => {
    const [a, b] = [replicaSet("a", { size: 0 }), replicaSet("b", { size: 2 })];
    expect(sizesOf(resizeAll(deployment({ replicas: 5 }), a, [b]))).toEqual({ b: 5 });
    expect(sizesOf(resizeAll(deployment({ replicas: 5 }), a, []))).toEqual({ a: 5 });
  });

  it("stops the old ones when the newest has all", () => {
    const newest = replicaSet("new", { size: 4, annotations: noted(4, 5) });
    expect(sizesOf(resizeAll(deployment({ replicas: 4 }), newest, [replicaSet("a", { size: 1 })]))).toEqual({
      a: 0,
    });
  });

  it("shares out in proportion in the middle of a rollout", () => {
    // The example of the Kubernetes documentation: 10 replicas, surge 3, 8 old and 5 new; scaled to 15.
    const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } };
    const d = deployment({ replicas: 15, strategy }, { replicas: 13 });
    const old = replicaSet("old", { size: 8, age: 10, annotations: noted(10, 13) });
    const newest = replicaSet("new", { size: 5, available: 0, annotations: noted(10, 13) });
    expect(sizesOf(resizeAll(d, newest, [old]))).toEqual({ old: 11, new: 7 });
  });

  it("takes everything when nothing is wanted", () => {
    const old = replicaSet("old", { size: 3, age: 10, annotations: noted(4, 5) });
    const newest = replicaSet("new", { size: 2, available: 0, annotations: noted(4, 5) });
    expect(sizesOf(resizeAll(deployment({ replicas: 0 }), newest, [old]))).toEqual({ old: 0, new: 0 });
  });
});

describe("revisions", () => {
  it("find the ReplicaSet of a template whatever its hash, the oldest first", () => {
    const hashed = replicaSet("b", { size: 1, age: 20 });
    hashed.spec.template = {
      ...template("1"),
      metadata: { labels: { app: "a", v: "1", "pod-template-hash": "x" } },
    };
    const others = [
      replicaSet("a", { size: 1, age: 10 }),
      replicaSet("c", { size: 1, age: 30, version: "2" }),
    ];
    expect(findNewReplicaSet(deployment(), [...others, hashed])).toBe(hashed);
    expect(findNewReplicaSet(deployment({ template: template("3") }), others)).toBeUndefined();
  });

  it("number a new ReplicaSet and copy the Deployment's annotations", () => {
    const d = deployment();
    d.metadata.annotations = {
      custom: "x",
      [REVISION]: "7",
      "kubectl.kubernetes.io/last-applied-configuration": "{}",
    };
    expect(newReplicaSetAnnotations(d, {}, 2, true)).toEqual({
      custom: "x",
      [REVISION]: "2",
      "deployment.kubernetes.io/desired-replicas": "4",
      "deployment.kubernetes.io/max-replicas": "5",
    });
  });

  it("keep the history of one that is used again", () => {
    const again = newReplicaSetAnnotations(deployment(), { [REVISION]: "1" }, 3, false);
    expect(again).toEqual({ [REVISION]: "3", "deployment.kubernetes.io/revision-history": "1" });
    const third = newReplicaSetAnnotations(deployment(), again, 5, false);
    expect(third["deployment.kubernetes.io/revision-history"]).toBe("1,3");
    expect(newReplicaSetAnnotations(deployment(), third, 4, false)).toEqual(third);
  });

  it("hash equal templates equally", () => {
    const one = { metadata: { labels: { a: "1", b: "2" } }, spec: { containers: [] } };
    const same = { spec: { containers: [] }, metadata: { labels: { b: "2", a: "1" } } };
    expect(templateHash(one, undefined)).toBe(templateHash(same, undefined));
    expect(templateHash(one, undefined)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
    expect(templateHash(one, 1)).not.toBe(templateHash(one, undefined));
    expect(templateHash(template("2"), undefined)).not.toBe(templateHash(one, undefined));
  });
});

describe("status", () => {
  const condition = (type: string, status: string, reason: string, seconds: number, message = "") => ({
    type,
    status,
    reason,
    message,
    lastUpdateTime: new Date(NOW - seconds * 1000).toISOString(),
    lastTransitionTime: new Date(NOW - seconds * 1000).toISOString(),
  });

  it("is as recorded after the creation of two pods", () => {
    const d = deployment(
      { replicas: 2 },
      { conditions: [condition("Progressing", "True", "NewReplicaSetCreated", 0)] },
    );
    const newest = replicaSet("d-x", { size: 2, available: 0 });
    const status = rolloutStatus(d, [newest], newest, NOW);
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      unavailableReplicas: 2,
      terminatingReplicas: 0,
    });
    expect(status).not.toHaveProperty("readyReplicas");
    expect(status.conditions).toMatchObject([
      {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      },
      {
        type: "Progressing",
        status: "True",
        reason: "ReplicaSetUpdated",
        message: 'ReplicaSet "d-x" is progressing.',
      },
    ]);
  });

  it("is complete when all pods are available, and stays so when it is scaled", () => {
    const newest = replicaSet("d-x", { size: 4 });
    const complete = rolloutStatus(deployment(), [newest], newest, NOW);
    expect(complete.conditions).toMatchObject([
      { type: "Available", status: "True", reason: "MinimumReplicasAvailable" },
      {
        type: "Progressing",
        status: "True",
        reason: "NewReplicaSetAvailable",
        message: 'ReplicaSet "d-x" has successfully progressed.',
      },
    ]);
    const scaled = replicaSet("d-x", { size: 6, available: 4 });
    const later = rolloutStatus(deployment({ replicas: 6 }, complete), [scaled], scaled, NOW + 700_000);
    expect(later.conditions?.find((each) => each.type === "Progressing")?.reason).toBe(
      "NewReplicaSetAvailable",
    );
  });

  it("times out when nothing has moved until the deadline", () => {
    const before = {
      observedGeneration: 1,
      replicas: 4,
      updatedReplicas: 4,
      unavailableReplicas: 4,
      conditions: [condition("Progressing", "True", "ReplicaSetUpdated", 601)],
    };
    const newest = replicaSet("d-x", { size: 4, available: 0 });
    const progressing = (d: Deployment) =>
      rolloutStatus(d, [newest], newest, NOW).conditions?.find((each) => each.type === "Progressing");
    expect(progressing(deployment({}, before))).toMatchObject({
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: 'ReplicaSet "d-x" has timed out progressing.',
    });
    expect(progressing(deployment({ progressDeadlineSeconds: 700 }, before))?.reason).toBe(
      "ReplicaSetUpdated",
    );
    expect(progressing(deployment({ progressDeadlineSeconds: 2147483647 }, before))).toBeUndefined();
  });

  it("comes back when the deadline may have passed", () => {
    const status = { replicas: 1, conditions: [condition("Progressing", "True", "ReplicaSetUpdated", 500)] };
    expect(deadlineInMs(deployment({}, status), status, NOW)).toBe(101_000);
    const timedOut = { conditions: [condition("Progressing", "False", "ProgressDeadlineExceeded", 500)] };
    expect(deadlineInMs(deployment({}, timedOut), timedOut, NOW)).toBeUndefined();
  });

  it("shows the failure of a ReplicaSet while it lasts", () => {
    const newest = replicaSet("d-x", { size: 4, available: 0 });
    const failing = {
      ...newest,
      status: {
        replicas: 0,
        conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "quota" }],
      },
    };
    const status = rolloutStatus(deployment(), [failing], failing, NOW);
    expect(status.conditions?.at(-1)).toMatchObject({
      type: "ReplicaFailure",
      status: "True",
      reason: "FailedCreate",
      message: "quota",
    });
    const mended = rolloutStatus(deployment({}, status), [newest], newest, NOW);
    expect(mended.conditions?.some((each) => each.type === "ReplicaFailure")).toBe(false);
  });

  it("notes pausing and resuming, but not over a timeout", () => {
    const paused = pausedConditions(deployment({ paused: true }), NOW);
    expect(paused).toMatchObject([
      { type: "Progressing", status: "Unknown", reason: "DeploymentPaused", message: "Deployment is paused" },
    ]);
    expect(pausedConditions(deployment({ paused: true }, { conditions: paused! }), NOW)).toBeUndefined();
    expect(pausedConditions(deployment({}, { conditions: paused! }), NOW)).toMatchObject([
      { reason: "DeploymentResumed" },
    ]);
    const timedOut = { conditions: [condition("Progressing", "False", "ProgressDeadlineExceeded", 0)] };
    expect(pausedConditions(deployment({ paused: true }, timedOut), NOW)).toBeUndefined();
  });

  it("leaves out the terminating pods until every ReplicaSet has counted them", () => {
    const counted = replicaSet("a", { size: 1 });
    const { terminatingReplicas: _, ...rest } = counted.status!;
    expect(deploymentStatus(deployment(), [counted], counted, NOW).terminatingReplicas).toBe(0);
    expect(
      deploymentStatus(deployment(), [counted, { ...counted, status: rest }], counted, NOW),
    ).not.toHaveProperty("terminatingReplicas");
  });
});

describe("areOldPodsRunning", () => {
  const newest = replicaSet("new", { size: 1 });
  const pod = (phase: string) => ({ metadata: {}, spec: { containers: [] }, status: { phase } });

  it.each([
    [[replicaSet("old", { size: 1 })], {}, true],
    [[], { new: [pod("Running")] }, false],
    [[], { old: [pod("Failed")] }, false],
    [[], { old: [pod("Running")] }, true],
    [[], { old: [pod("Unknown")] }, true],
  ])("(%#)", (old, byOwner, expected) => {
    expect(areOldPodsRunning(newest, old, new Map(Object.entries(byOwner)))).toBe(expected);
  });
});
