import type { DaemonSet, Node, Pod, PodSpec, Taint } from "@binnacle/api";
import { VirtualClock } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { daemonPod, nodeOf } from "./daemon-pod.ts";
import { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { fitsNode } from "./node-fit.ts";
import { daemonStatus, planDaemons, planRollout } from "./plan.ts";

const NOW = Date.UTC(2026, 0, 1);
const taint = (key: string, effect: string): Taint => ({ key, effect });

function node(name: string, options: { labels?: Record<string, string>; taints?: Taint[] } = {}): Node {
  const { labels = {}, taints = [] } = options;
  return { metadata: { name, labels }, spec: { taints } };
}

function set(spec: Partial<DaemonSet["spec"]> = {}, pod: Partial<PodSpec> = {}): DaemonSet {
  return {
    metadata: { name: "d", namespace: "n", uid: "du", generation: 2 },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: { metadata: { labels: { app: "a" } }, spec: { containers: [], ...pod } },
      ...spec,
    },
  };
}

interface PodOptions {
  hash?: string;
  ready?: boolean;
  phase?: string;
  age?: number;
  dying?: boolean;
}

function pod(name: string, nodeName: string, options: PodOptions = {}): Pod {
  const { hash = "new", ready = true, phase = "Running", age = 0, dying = false } = options;
  return {
    metadata: {
      name,
      uid: name,
      creationTimestamp: new Date(NOW - age * 1000).toISOString(),
      labels: { "controller-revision-hash": hash },
      ...(dying ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: { nodeName, containers: [] },
    status: {
      phase,
      conditions: [
        { type: "Ready", status: ready ? "True" : "False", lastTransitionTime: "2025-12-31T00:00:00Z" },
      ],
    },
  };
}

const names = (pods: readonly Pod[]) => pods.map((each) => each.metadata.name);

describe("fitsNode", () => {
  const affinity = (operator: string, ...values: string[]): Partial<PodSpec> => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "cpu", operator, values }] }],
        },
      },
    },
  });

  it.each([
    ["any node", {}, node("a"), true, true],
    ["the node named", { nodeName: "b" }, node("a"), false, false],
    ["selected nodes", { nodeSelector: { disk: "ssd" } }, node("a"), false, false],
    ["selected nodes", { nodeSelector: { disk: "ssd" } }, node("a", { labels: { disk: "ssd" } }), true, true],
    ["nodes by affinity", affinity("Gt", "4"), node("a", { labels: { cpu: "8" } }), true, true],
    ["nodes by affinity", affinity("Gt", "4"), node("a", { labels: { cpu: "2" } }), false, false],
    ["nodes by affinity", affinity("NotIn", "8"), node("a"), true, true],
    ["no tainted node", {}, node("a", { taints: [taint("x", "NoSchedule")] }), false, true],
    ["no evicting node", {}, node("a", { taints: [taint("x", "NoExecute")] }), false, false],
    [
      "tolerated nodes",
      { tolerations: [{ operator: "Exists" }] },
      node("a", { taints: [taint("x", "NoExecute")] }),
      true,
      true,
    ],
    [
      "nodes that are not ready",
      {},
      node("a", { taints: [taint("node.kubernetes.io/not-ready", "NoExecute")] }),
      true,
      true,
    ],
    [
      "cordoned nodes",
      {},
      node("a", { taints: [taint("node.kubernetes.io/unschedulable", "NoSchedule")] }),
      true,
      true,
    ],
  ])("takes %s (%#)", (_, spec, where, shouldRun, mayStay) => {
    expect(fitsNode({ containers: [], ...spec }, where)).toEqual({ shouldRun, mayStay });
  });
});

describe("planDaemons", () => {
  const nodes = [node("a"), node("b"), node("evicting", { taints: [taint("x", "NoExecute")] })];
  const plan = (...pods: Pod[]) => {
    const { create, delete: doomed } = planDaemons(set(), nodes, pods, "new", NOW);
    return { create, delete: names(doomed) };
  };

  it("puts a pod on each node that fits and takes it off others", () => {
    expect(plan()).toEqual({ create: ["a", "b"], delete: [] });
    expect(plan(pod("1", "a"), pod("2", "b"), pod("3", "evicting"))).toEqual({ create: [], delete: ["3"] });
  });

  it("keeps the oldest of several, and replaces finished ones", () => {
    expect(plan(pod("young", "a"), pod("old", "a", { age: 10 }), pod("f", "b", { phase: "Failed" }))).toEqual(
      { create: [], delete: ["young", "f"] },
    );
  });

  it("waits for a pod that is stopping, and drops pods meant for a node that is gone", () => {
    const waiting = { ...daemonPod(set(), "gone", "new"), status: { phase: "Pending" } };
    waiting.metadata = { ...waiting.metadata, name: "w" };
    expect(nodeOf(waiting)).toBe("gone");
    expect(plan(pod("1", "a", { dying: true }), pod("2", "b"), waiting)).toEqual({
      create: [],
      delete: ["w"],
    });
  });
});

describe("planRollout", () => {
  const nodes = ["a", "b", "c", "d"].map((name) => node(name));
  const rollout = (rollingUpdate: object, ...pods: Pod[]) => {
    const object = set({ updateStrategy: { type: "RollingUpdate", rollingUpdate } });
    const { create, delete: doomed } = planRollout(object, nodes, pods, "new", NOW);
    return { create, delete: names(doomed) };
  };
  const old = (name: string, options: PodOptions = {}) => pod(name, name, { hash: "old", ...options });

  it("replaces as many as may be unavailable", () => {
    expect(rollout({ maxUnavailable: 1 }, old("a"), old("b"), old("c"), old("d")).delete).toEqual(["a"]);
    expect(rollout({ maxUnavailable: "50%" }, old("a"), old("b"), old("c"), old("d")).delete).toEqual([
      "a",
      "b",
    ]);
    expect(
      rollout({ maxUnavailable: 1 }, pod("a", "a", { ready: false }), old("b"), old("c"), old("d")).delete,
    ).toEqual([]);
  });

  it("replaces dead pods whatever the limit", () => {
    expect(
      rollout(
        { maxUnavailable: 1 },
        old("a", { ready: false }),
        old("b", { ready: false }),
        old("c"),
        old("d"),
      ).delete,
    ).toEqual(["a", "b"]);
  });

  it("runs new pods beside old ones where that is wanted", () => {
    const surge = { maxSurge: 1, maxUnavailable: 0 };
    expect(rollout(surge, old("a"), old("b"), old("c"), old("d"))).toEqual({ create: ["a"], delete: [] });
    expect(rollout(surge, old("a"), pod("a2", "a", { ready: false }), old("b"), old("c"), old("d"))).toEqual({
      create: [],
      delete: [],
    });
    expect(rollout(surge, old("a"), pod("a2", "a"), old("b"), old("c"), old("d"))).toEqual({
      create: ["b"],
      delete: ["a"],
    });
  });

  it("leaves it to the user with OnDelete", () => {
    const object = set({ updateStrategy: { type: "OnDelete" } });
    expect(planRollout(object, nodes, [old("a")], "new", NOW)).toEqual({ create: [], delete: [] });
  });
});

describe("daemonStatus", () => {
  it("counts nodes", () => {
    const nodes = [node("a"), node("b"), node("c"), node("t", { taints: [taint("x", "NoSchedule")] })];
    const pods = [pod("1", "a"), pod("2", "b", { ready: false, hash: "old" }), pod("3", "t")];
    expect(daemonStatus(set(), nodes, pods, "new", 0, NOW)).toEqual({
      currentNumberScheduled: 2,
      numberMisscheduled: 1,
      desiredNumberScheduled: 3,
      numberReady: 1,
      observedGeneration: 2,
      updatedNumberScheduled: 1,
      numberAvailable: 1,
      numberUnavailable: 2,
    });
  });
});

describe("FailedPodBackoff", () => {
  it("waits longer each time", async () => {
    const clock = new VirtualClock();
    const backoff = new FailedPodBackoff(clock);
    expect([backoff.waitMs("u/a"), backoff.waitMs("u/a"), backoff.waitMs("u/b")]).toEqual([0, 1000, 0]);
    await clock.advance(1000);
    expect([backoff.waitMs("u/a"), backoff.waitMs("u/a")]).toEqual([0, 2000]);
    backoff.forget("u/");
    expect(backoff.waitMs("u/a")).toBe(0);
  });
});
