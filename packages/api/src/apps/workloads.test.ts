import {
  type FieldError,
  formatFieldErrors,
  type KubeObject,
  type ResourceDefinition,
} from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { podTemplates } from "../core/podtemplate/index.ts";
import { replicationControllers } from "../core/replicationcontroller/index.ts";
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from "../generated/apps-v1.generated.ts";
import { daemonSets } from "./daemonset/index.ts";
import { deployments } from "./deployment/index.ts";
import { replicaSets } from "./replicaset/index.ts";
import { statefulSets } from "./statefulset/index.ts";

const NOW = Date.parse("2026-01-01T01:00:00Z");
const selector = { matchLabels: { app: "a" } };
const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "nginx:1.25" }] },
};

function made<T extends KubeObject>(definition: ResourceDefinition<T>, spec: object): T {
  // Each test gives what its kind asks for.
  const object = { metadata: { name: "w", namespace: "n" }, spec: structuredClone(spec) } as unknown as T;
  definition.defaults?.(object);
  definition.strategy.prepareForCreate?.(object, { nowMs: 0 });
  return object;
}

function message(errors: FieldError[] | undefined): string {
  return errors === undefined || errors.length === 0 ? "" : formatFieldErrors(errors);
}

function row<T extends KubeObject>(definition: ResourceDefinition<T>, object: T): unknown[] {
  return (definition.columns ?? []).map((column) => column.cell(object, { nowMs: NOW }));
}

describe("a deployment", () => {
  const deployment = (): Deployment => made(deployments, { selector, template });

  it("gets defaults", () => {
    expect(deployment().spec).toMatchObject({
      replicas: 1,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: { spec: { dnsPolicy: "ClusterFirst", restartPolicy: "Always" } },
    });
    expect(deployment().spec.template.spec.enableServiceLinks).toBeUndefined();
    expect(deployments.strategy.validate?.(deployment())).toEqual([]);
  });

  it("keeps its selector", () => {
    const old = deployment();
    const updated = structuredClone(old);
    updated.spec.selector = { matchLabels: { app: "b" } };
    updated.spec.template.metadata = { labels: { app: "b" } };
    expect(message(deployments.strategy.validateUpdate?.(updated, old))).toBe(
      'spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable',
    );
  });

  it("is a new generation with other annotations", () => {
    const old = { ...deployment(), metadata: { name: "w", generation: 3 } };
    const updated: Deployment = { ...old, metadata: { name: "w", generation: 3, annotations: { a: "b" } } };
    deployments.strategy.prepareForUpdate?.(updated, old, { nowMs: 0 });
    expect(updated.metadata.generation).toBe(4);
  });

  it("cannot have more ready pods than pods", () => {
    const old = deployment();
    const updated = { ...old, status: { replicas: 1, readyReplicas: 2, collisionCount: -1 } };
    expect(message(deployments.status?.validateUpdate?.(updated, old))).toBe(
      "[status.collisionCount: Invalid value: -1: must be greater than or equal to 0, status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas]",
    );
  });

  it("warns of names that pods cannot have", () => {
    const named = { ...deployment(), metadata: { name: "a.b" } };
    expect(deployments.strategy.warningsOnCreate?.(named)?.[0]).toContain("a DNS label is recommended");
  });

  it("is shown", () => {
    const shown = { ...deployment(), status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 } };
    shown.spec.replicas = 3;
    expect(row(deployments, shown)).toEqual(["w", "1/3", 2, 1, "<unknown>", "c", "nginx:1.25", "app=a"]);
  });
});

describe("a replica set", () => {
  it("gets defaults and is shown", () => {
    const replicaSet: ReplicaSet = made(replicaSets, { selector, template });
    expect(replicaSet.spec.replicas).toBe(1);
    expect(replicaSet.status).toEqual({ replicas: 0 });
    expect(row(replicaSets, replicaSet)).toEqual(["w", 1, 0, 0, "<unknown>", "c", "nginx:1.25", "app=a"]);
    expect(replicaSets.selectableFields?.(replicaSet)).toEqual({ "status.replicas": "0" });
  });
});

describe("a stateful set", () => {
  const claim = {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const statefulSet = (spec: object = {}): StatefulSet =>
    made(statefulSets, { selector, template, serviceName: "svc", ...spec });

  it("gets defaults", () => {
    expect(statefulSet({ volumeClaimTemplates: [claim] }).spec).toMatchObject({
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
      volumeClaimTemplates: [
        {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          spec: { volumeMode: "Filesystem" },
          status: { phase: "Pending" },
        },
      ],
    });
  });

  it("lets its pods mount its claims", () => {
    const mounted = structuredClone(template) as typeof template & {
      spec: { containers: { volumeMounts?: object[] }[] };
    };
    mounted.spec.containers[0]!.volumeMounts = [{ name: "data", mountPath: "/d" }];
    const set = statefulSet({ template: mounted, volumeClaimTemplates: [claim] });
    expect(statefulSets.strategy.validate?.(set)).toEqual([]);
    delete set.spec.volumeClaimTemplates;
    expect(message(statefulSets.strategy.validate?.(set))).toBe(
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
    );
  });

  it("changes only in some fields", () => {
    const old = statefulSet();
    const scaled = structuredClone(old);
    scaled.spec.replicas = 5;
    expect(statefulSets.strategy.validateUpdate?.(scaled, old)).toEqual([]);
    const renamed = structuredClone(old);
    renamed.spec.serviceName = "other";
    expect(message(statefulSets.strategy.validateUpdate?.(renamed, old))).toMatch(
      /^spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals'/,
    );
  });

  it("is shown", () =>
    expect(row(statefulSets, statefulSet())).toEqual(["w", "0/1", "<unknown>", "c", "nginx:1.25"]));
});

describe("a daemon set", () => {
  const daemonSet = (): DaemonSet => made(daemonSets, { selector, template });
  const generation = ({ metadata }: DaemonSet): string | undefined =>
    metadata.annotations?.["deprecated.daemonset.template.generation"];

  it("counts its templates", () => {
    const old = daemonSet();
    expect(generation(old)).toBe("1");
    const updated = structuredClone(old);
    delete updated.metadata.annotations;
    updated.spec.template.spec.containers[0]!.image = "nginx:2";
    daemonSets.defaults?.(updated);
    daemonSets.strategy.prepareForUpdate?.(updated, old, { nowMs: 0 });
    expect(generation(updated)).toBe("2");
  });

  it("replaces one pod at a time", () => {
    expect(daemonSet().spec.updateStrategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
    });
  });

  it("is shown", () => {
    expect(row(daemonSets, daemonSet())).toEqual([
      "w",
      0,
      0,
      0,
      0,
      0,
      "<none>",
      "<unknown>",
      "c",
      "nginx:1.25",
      "app=a",
    ]);
  });
});

describe("a replication controller", () => {
  it("selects by the labels of its pods", () => {
    const controller = made(replicationControllers, { template });
    expect(controller.spec.selector).toEqual({ app: "a" });
    expect(controller.metadata.labels).toEqual({ app: "a" });
    expect(replicationControllers.strategy.validate?.(controller)).toEqual([]);
    expect(row(replicationControllers, controller)).toEqual([
      "w",
      1,
      0,
      0,
      "<unknown>",
      "c",
      "nginx:1.25",
      "app=a",
    ]);
  });
});

describe("a pod template", () => {
  it("is checked and shown", () => {
    const podTemplate = { metadata: { name: "w" }, template: structuredClone(template) };
    podTemplates.defaults?.(podTemplate);
    expect(podTemplates.strategy.validate?.(podTemplate)).toEqual([]);
    expect(row(podTemplates, podTemplate)).toEqual(["w", "c", "nginx:1.25", "app=a"]);
  });
});
