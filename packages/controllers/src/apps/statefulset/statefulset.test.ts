import type { Pod, StatefulSet } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { hasIdentity, ordinalOf, podOf } from "./identity.ts";
import { planStatefulSet, type Step, statefulSetStatus } from "./plan.ts";
import { claimOwners } from "./retention.ts";

const NOW = Date.UTC(2026, 0, 1);
const revisions = { current: "s-1", update: "s-2" };

function set(spec: Partial<StatefulSet["spec"]> = {}): StatefulSet {
  return {
    metadata: { name: "s", namespace: "n", uid: "su", generation: 1 },
    spec: {
      replicas: 3,
      serviceName: "svc",
      selector: { matchLabels: { app: "a" } },
      template: { metadata: { labels: { app: "a" } }, spec: { containers: [] } },
      ...spec,
    },
  };
}

function pod(
  ordinal: number,
  options: { revision?: string; ready?: boolean; phase?: string; dying?: boolean } = {},
): Pod {
  const { revision = "s-2", ready = true, phase = "Running", dying = false } = options;
  return {
    metadata: {
      name: `s-${ordinal}`,
      uid: `u${ordinal}`,
      labels: { "controller-revision-hash": revision },
      ...(dying ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: { containers: [] },
    status: {
      phase,
      conditions: [
        { type: "Ready", status: ready ? "True" : "False", lastTransitionTime: "2026-01-01T00:00:00Z" },
      ],
    },
  };
}

const tell = (step: Step): string =>
  step.action === "create"
    ? `create ${step.ordinal} ${step.isUpdate ? "update" : "current"}`
    : `${step.action} ${step.pod.metadata.name}`;
const plan = (object: StatefulSet, ...pods: Pod[]): string[] =>
  planStatefulSet(object, pods, revisions, () => false, NOW).steps.map(tell);

describe("planStatefulSet, in order", () => {
  it.each([
    ["starts with the first", set(), [], ["create 0 update"]],
    ["waits until it is ready", set(), [pod(0, { ready: false })], []],
    ["goes on when it is", set(), [pod(0)], ["create 1 update"]],
    ["fills a gap before anything else", set(), [pod(0), pod(2)], ["create 1 update"]],
    ["replaces a finished pod", set(), [pod(0, { phase: "Failed" })], ["delete s-0"]],
    ["waits for a pod that stops", set(), [pod(0, { dying: true }), pod(1), pod(2)], []],
    ["scales down from the top", set({ replicas: 1 }), [pod(0), pod(1), pod(2)], ["delete s-2"]],
    ["waits for that pod to be gone", set({ replicas: 1 }), [pod(0), pod(1), pod(2, { dying: true })], []],
    [
      "does not scale down past an unhealthy pod",
      set({ replicas: 1 }),
      [pod(0), pod(1, { ready: false }), pod(2, { ready: false })],
      [],
    ],
    [
      "removes a condemned pod that is the only unhealthy one",
      set({ replicas: 2 }),
      [pod(0), pod(1), pod(2, { ready: false })],
      ["delete s-2"],
    ],
    ["updates from the top", set(), [0, 1, 2].map((i) => pod(i, { revision: "s-1" })), ["delete s-2"]],
    [
      "waits for the updated pod",
      set(),
      [pod(0, { revision: "s-1" }), pod(1, { revision: "s-1" }), pod(2, { ready: false })],
      [],
    ],
    [
      "goes down one by one",
      set(),
      [pod(0, { revision: "s-1" }), pod(1, { revision: "s-1" }), pod(2)],
      ["delete s-1"],
    ],
    [
      "leaves pods below the partition",
      set({ updateStrategy: { rollingUpdate: { partition: 2 } } }),
      [pod(0, { revision: "s-1" }), pod(1, { revision: "s-1" }), pod(2)],
      [],
    ],
    [
      "makes pods below the partition from the old revision",
      set({ updateStrategy: { rollingUpdate: { partition: 2 } } }),
      [],
      ["create 0 current"],
    ],
    [
      "leaves updates to the user",
      set({ updateStrategy: { type: "OnDelete" } }),
      [0, 1, 2].map((i) => pod(i, { revision: "s-1" })),
      [],
    ],
    [
      "counts ordinals from the start",
      set({ replicas: 1, ordinals: { start: 5 } }),
      [pod(0)],
      ["create 5 update"],
    ],
  ])("%s", (_, object, pods, steps) => {
    expect(plan(object, ...pods)).toEqual(steps);
  });
});

describe("planStatefulSet, in parallel", () => {
  const parallel = (spec: Partial<StatefulSet["spec"]> = {}) =>
    set({ podManagementPolicy: "Parallel", ...spec });

  it("creates and deletes all at once, but updates one by one", () => {
    expect(plan(parallel())).toEqual(["create 0 update", "create 1 update", "create 2 update"]);
    expect(plan(parallel({ replicas: 1 }), pod(0), pod(1), pod(2))).toEqual(["delete s-2", "delete s-1"]);
    expect(plan(parallel(), ...[0, 1, 2].map((i) => pod(i, { revision: "s-1" })))).toEqual(["delete s-2"]);
  });

  it("updates as many as may be unavailable", () => {
    const object = parallel({ updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } });
    expect(plan(object, ...[0, 1, 2].map((i) => pod(i, { revision: "s-1" })))).toEqual([
      "delete s-2",
      "delete s-1",
    ]);
    expect(
      plan(object, pod(0, { revision: "s-1" }), pod(1, { revision: "s-1" }), pod(2, { ready: false })),
    ).toEqual(["delete s-1"]);
  });
});

describe("statefulSetStatus", () => {
  const status = (...pods: Pod[]) => statefulSetStatus(set(), pods, { ...revisions, collisionCount: 0 }, NOW);

  it("is as recorded in the middle of an update and at its end", () => {
    expect(
      status(
        pod(0, { revision: "s-1" }),
        pod(1, { revision: "s-1" }),
        pod(2, { ready: false, phase: "Pending" }),
      ),
    ).toEqual({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 2,
      currentReplicas: 2,
      updatedReplicas: 1,
      currentRevision: "s-1",
      updateRevision: "s-2",
      collisionCount: 0,
      availableReplicas: 2,
    });
    expect(status(pod(0), pod(1), pod(2))).toMatchObject({
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: "s-2",
    });
  });
});

describe("identity", () => {
  const withClaims = set({
    volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } }],
  });

  it("is in name, labels, host name and claims", () => {
    const made = podOf(withClaims, 1, withClaims.spec.template, "s-9");
    expect(made.metadata).toMatchObject({
      name: "s-1",
      generateName: "s-",
      labels: {
        app: "a",
        "apps.kubernetes.io/pod-index": "1",
        "controller-revision-hash": "s-9",
        "statefulset.kubernetes.io/pod-name": "s-1",
      },
    });
    expect(made.spec).toMatchObject({
      hostname: "s-1",
      subdomain: "svc",
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-s-1" } }],
    });
    expect(hasIdentity(withClaims, made, 1)).toBe(true);
    expect(hasIdentity(withClaims, pod(1), 1)).toBe(false);
  });

  it("is read from the name", () => {
    expect([
      ordinalOf(set(), pod(12)),
      ordinalOf(set(), { ...pod(0), metadata: { name: "other-1" } }),
    ]).toEqual([12, undefined]);
  });
});

describe("claimOwners", () => {
  const claim = { metadata: { name: "data-s-0" }, spec: {} };
  const owners = (whenDeleted: string, whenScaled: string, ordinal: number) =>
    claimOwners(
      set({ replicas: 1, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } }),
      pod(ordinal),
      claim,
    )?.map((each) => each.kind);

  it.each([
    ["Retain", "Retain", 0, undefined],
    ["Delete", "Retain", 0, ["StatefulSet"]],
    ["Delete", "Delete", 0, ["StatefulSet"]],
    ["Delete", "Delete", 5, ["Pod"]],
    ["Retain", "Delete", 0, undefined],
    ["Retain", "Delete", 5, ["Pod"]],
  ])("when deleted %s, when scaled %s, of pod %i are %j", (whenDeleted, whenScaled, ordinal, kinds) => {
    expect(owners(whenDeleted, whenScaled, ordinal)).toEqual(kinds);
  });

  it("leaves a claim that somebody else controls", () => {
    const theirs = {
      metadata: { ownerReferences: [{ apiVersion: "v1", kind: "X", name: "x", uid: "x", controller: true }] },
      spec: {},
    };
    const object = set({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } });
    expect(claimOwners(object, pod(0), theirs)).toBeUndefined();
  });
});
