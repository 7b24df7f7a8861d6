import type { Pod } from "@binnacle/api";
import { parseLabelSelector, resourceType } from "@binnacle/apimachinery";
import { VirtualClock } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { decideClaim } from "./claim.ts";
import { Expectations } from "./expectations.ts";
import { podFromTemplate } from "./pod-from-template.ts";
import { availableInMs, isPodActive } from "./pod-state.ts";
import { countByNode, rankForDeletion } from "./rank-pods.ts";
import { slowStart } from "./slow-start.ts";

const NOW = Date.UTC(2026, 0, 2);
const at = (agoMs: number): string => new Date(NOW - agoMs).toISOString();

interface PodOptions {
  node?: string;
  phase?: string;
  readyForMs?: number;
  ageMs?: number;
  restarts?: number;
  cost?: string;
  uid?: string;
}

function pod(name: string, options: PodOptions = {}): Pod {
  const {
    node = "n1",
    phase = "Running",
    readyForMs,
    ageMs = 1000,
    restarts = 0,
    cost,
    uid = name,
  } = options;
  return {
    metadata: {
      name,
      uid,
      creationTimestamp: at(ageMs),
      ...(cost === undefined ? {} : { annotations: { "controller.kubernetes.io/pod-deletion-cost": cost } }),
    },
    spec: { containers: [], ...(node === "" ? {} : { nodeName: node }) },
    status: {
      phase,
      ...(readyForMs === undefined
        ? {}
        : { conditions: [{ type: "Ready", status: "True", lastTransitionTime: at(readyForMs) }] }),
      containerStatuses: [{ name: "c", ready: true, restartCount: restarts, image: "", imageID: "" }],
    },
  };
}

describe("rankForDeletion", () => {
  it.each([
    ["pods without a node", pod("b", { node: "" }), pod("a", { phase: "Pending" })],
    ["pending before running ones", pod("b", { phase: "Pending" }), pod("a")],
    ["pods that are not ready", pod("b"), pod("a", { readyForMs: 1 })],
    ["cheaper pods", pod("b", { cost: "-5" }), pod("a")],
    ["pods ready for a shorter time", pod("b", { readyForMs: 1000 }), pod("a", { readyForMs: 100_000 })],
    ["pods that restarted more often", pod("b", { restarts: 3 }), pod("a", { restarts: 1 })],
    ["younger pods", pod("b", { ageMs: 1000 }), pod("a", { ageMs: 1_000_000 })],
    [
      "by uid those of about the same age",
      pod("b", { ageMs: 1900, uid: "1" }),
      pod("a", { ageMs: 1500, uid: "2" }),
    ],
  ])("puts first %s", (_, first, second) => {
    for (const order of [
      [first, second],
      [second, first],
    ] as const)
      expect(rankForDeletion(order, () => 1, NOW).map((each) => each.metadata.name)).toEqual(["b", "a"]);
  });

  it("puts first pods on crowded nodes", () => {
    const [a, b, c] = [pod("a", { node: "n1" }), pod("b", { node: "n2" }), pod("c", { node: "n2" })];
    expect(rankForDeletion([a, b, c], countByNode([a, b, c]), NOW).at(-1)).toBe(a);
  });
});

describe("pod state", () => {
  it.each([
    [{}, 0, undefined],
    [{ readyForMs: 0 }, 0, 0],
    [{ readyForMs: 4000 }, 10, 6000],
    [{ readyForMs: 10_000 }, 10, 0],
  ])("of %o with %i s to wait is available in %j ms", (options, minReadySeconds, waitMs) => {
    expect(availableInMs(pod("p", options), minReadySeconds, NOW)).toBe(waitMs);
  });

  it("counts neither finished nor dying pods as active", () => {
    expect(isPodActive(pod("p"))).toBe(true);
    expect(isPodActive(pod("p", { phase: "Failed" }))).toBe(false);
    const dying = pod("p");
    dying.metadata.deletionTimestamp = at(0);
    expect(isPodActive(dying)).toBe(false);
  });
});

describe("Expectations", () => {
  it("wait until what was asked for is seen", () => {
    const expectations = new Expectations(new VirtualClock());
    expect(expectations.waitMs("o")).toBe(0);
    expectations.expectCreations("o", 2);
    expectations.sawCreation("o");
    expect(expectations.waitMs("o")).toBe(300_000);
    expectations.sawCreation("o");
    expect(expectations.waitMs("o")).toBe(0);
    expectations.expectDeletions("o", ["p1", "p2"]);
    expectations.sawDeletion("o", "p1");
    expectations.sawDeletion("o", "p1");
    expect(expectations.waitMs("o")).toBeGreaterThan(0);
    expectations.sawDeletion("o", "p2");
    expect(expectations.waitMs("o")).toBe(0);
    expectations.sawCreation("unknown");
  });

  it("give up after five minutes and when the owner is gone", async () => {
    const clock = new VirtualClock();
    const expectations = new Expectations(clock);
    expectations.expectCreations("o", 1);
    await clock.advance(299_000);
    expect(expectations.waitMs("o")).toBe(1000);
    await clock.advance(1000);
    expect(expectations.waitMs("o")).toBe(0);
    expectations.expectCreations("o", 1);
    expectations.forget("o");
    expect(expectations.waitMs("o")).toBe(0);
  });
});

describe("slowStart", () => {
  it("doubles the batch", async () => {
    const calls: number[] = [];
    expect(await slowStart(7, async (index) => void calls.push(index))).toEqual({ succeeded: 7 });
    expect(calls).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("stops after the batch with a failure", async () => {
    let calls = 0;
    const failure = new Error("full");
    const result = await slowStart(100, async (index) => {
      calls++;
      if (index === 2) throw failure;
    });
    expect(result).toEqual({ succeeded: 2, failure });
    expect(calls).toBe(3);
  });
});

describe("decideClaim", () => {
  const selector = parseLabelSelector("app=a");
  const owner = { metadata: { namespace: "n", name: "o", uid: "u" } };
  const dying = { metadata: { ...owner.metadata, deletionTimestamp: at(0) } };
  const controlledBy = (uid: string) => [{ apiVersion: "v1", kind: "X", name: "o", uid, controller: true }];
  const object = (rest: object) => ({ metadata: { namespace: "n", name: "p", ...rest } });

  it.each([
    ["own", owner, object({ labels: { app: "a" }, ownerReferences: controlledBy("u") })],
    ["release", owner, object({ labels: { app: "b" }, ownerReferences: controlledBy("u") })],
    ["ignore", dying, object({ labels: { app: "b" }, ownerReferences: controlledBy("u") })],
    ["ignore", owner, object({ labels: { app: "a" }, ownerReferences: controlledBy("other") })],
    ["adopt", owner, object({ labels: { app: "a" } })],
    ["ignore", owner, object({ labels: { app: "b" } })],
    ["ignore", dying, object({ labels: { app: "a" } })],
    ["ignore", owner, object({ labels: { app: "a" }, deletionTimestamp: at(0) })],
    ["ignore", owner, object({ labels: { app: "a" }, namespace: "elsewhere" })],
  ] as const)("says %s (%#)", (decision, by, what) => {
    expect(decideClaim(by, selector, what)).toBe(decision);
  });
});

describe("podFromTemplate", () => {
  it("takes metadata and spec from the template and the controller from the owner", () => {
    const type = resourceType({
      group: "apps",
      version: "v1",
      kind: "ReplicaSet",
      resource: "replicasets",
      namespaced: true,
    });
    const template = { metadata: { labels: { a: "b" }, finalizers: ["x/y"] }, spec: { containers: [] } };
    const made = podFromTemplate(template, {
      type,
      object: { metadata: { namespace: "n", name: "r", uid: "u" } },
    });
    expect(made).toEqual({
      metadata: {
        namespace: "n",
        generateName: "r-",
        labels: { a: "b" },
        finalizers: ["x/y"],
        ownerReferences: [
          {
            apiVersion: "apps/v1",
            kind: "ReplicaSet",
            name: "r",
            uid: "u",
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: { containers: [] },
    });
  });
});
