import { formatQuantity, type GroupResource, type KubeObject } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { Pod, ResourceQuota } from "../../generated/core-v1.generated.ts";
import { addUsage, countedResource, quotaCovers, quotaUsage, usedOf } from "./usage.ts";

const NOW = Date.UTC(2026, 0, 1);
const pods = { group: "", resource: "pods" };

function usage(resource: GroupResource, object: object): Record<string, string> {
  const amounts = quotaUsage(resource, { metadata: {}, ...object } as KubeObject, NOW); // Objects of that resource.
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}

const container = (requests: Record<string, string>, rest: object = {}) => ({
  name: "c",
  resources: { requests, ...rest },
});

describe("quotaUsage", () => {
  it.each([
    [
      "a pod",
      pods,
      { spec: { containers: [container({ cpu: "300m" }, { limits: { memory: "1Gi" } })] } },
      { "count/pods": "1", pods: "1", cpu: "300m", "requests.cpu": "300m", "limits.memory": "1Gi" },
    ],
    [
      "a finished pod",
      pods,
      { spec: { containers: [container({ cpu: "1" })] }, status: { phase: "Succeeded" } },
      { "count/pods": "1" },
    ],
    [
      "a pod that is overdue",
      pods,
      {
        metadata: { deletionTimestamp: "2025-12-31T23:00:00Z", deletionGracePeriodSeconds: 30 },
        spec: { containers: [] },
      },
      { "count/pods": "1" },
    ],
    [
      "a pod whose init container needs most",
      pods,
      {
        spec: {
          containers: [container({ cpu: "1" })],
          initContainers: [{ ...container({ cpu: "1" }), restartPolicy: "Always" }, container({ cpu: "3" })],
          overhead: { cpu: "100m" },
        },
      },
      { "count/pods": "1", pods: "1", cpu: "4100m", "requests.cpu": "4100m" },
    ],
    [
      "extended resources",
      pods,
      { spec: { containers: [container({ "x.io/gpu": "2" })] } },
      { "count/pods": "1", pods: "1", "requests.x.io/gpu": "2" },
    ],
    [
      "a node port service",
      { group: "", resource: "services" },
      { spec: { type: "NodePort", ports: [{ port: 1 }, { port: 2 }] } },
      { "count/services": "1", services: "1", "services.nodeports": "2" },
    ],
    [
      "a load balancer",
      { group: "", resource: "services" },
      { spec: { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: [{ port: 1 }] } },
      { "count/services": "1", services: "1", "services.loadbalancers": "1", "services.nodeports": "0" },
    ],
    [
      "a claim",
      { group: "", resource: "persistentvolumeclaims" },
      { spec: { storageClassName: "gold", resources: { requests: { storage: "5Gi" } } } },
      {
        "count/persistentvolumeclaims": "1",
        persistentvolumeclaims: "1",
        "requests.storage": "5Gi",
        "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
        "gold.storageclass.storage.k8s.io/requests.storage": "5Gi",
      },
    ],
    ["any other object", { group: "apps", resource: "deployments" }, {}, { "count/deployments.apps": "1" }],
  ])("of %s", (_, resource, object, expected) => {
    expect(usage(resource, object)).toEqual(expected);
  });
});

describe("quotaCovers", () => {
  const quota = (spec: ResourceQuota["spec"]): ResourceQuota => ({ metadata: {}, spec });
  const pod = (spec: Partial<Pod["spec"]>): Pod => ({ metadata: {}, spec: { containers: [], ...spec } });

  it.each([
    [{}, pod({}), true],
    [{ scopes: ["BestEffort"] }, pod({}), true],
    [{ scopes: ["BestEffort"] }, pod({ containers: [container({ cpu: "1" })] }), false],
    [
      { scopes: ["NotBestEffort", "Terminating"] },
      pod({ containers: [container({ cpu: "1" })], activeDeadlineSeconds: 5 }),
      true,
    ],
    [{ scopes: ["NotTerminating"] }, pod({ activeDeadlineSeconds: 5 }), false],
    [
      {
        scopeSelector: {
          matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }],
        },
      },
      pod({ priorityClassName: "high" }),
      true,
    ],
    [
      {
        scopeSelector: {
          matchExpressions: [{ scopeName: "PriorityClass", operator: "NotIn", values: ["high"] }],
        },
      },
      pod({ priorityClassName: "high" }),
      false,
    ],
    [
      { scopes: ["CrossNamespacePodAffinity"] },
      pod({
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "z", namespaces: ["x"] }],
          },
        },
      }),
      true,
    ],
  ])("%o (%#)", (spec, object, covers) => {
    expect(quotaCovers(quota(spec), pods, object)).toBe(covers);
  });

  it("leaves objects out that no scope speaks of", () => {
    expect(
      quotaCovers(quota({ scopes: ["BestEffort"] }), { group: "", resource: "secrets" }, { metadata: {} }),
    ).toBe(false);
  });
});

describe("countedResource", () => {
  it.each([
    ["count/deployments.apps", { group: "apps", resource: "deployments" }],
    ["count/secrets", { group: "", resource: "secrets" }],
    ["services.nodeports", { group: "", resource: "services" }],
    ["gold.storageclass.storage.k8s.io/requests.storage", { group: "", resource: "persistentvolumeclaims" }],
    ["requests.storage", { group: "", resource: "persistentvolumeclaims" }],
    ["requests.x.io/gpu", pods],
    ["cpu", pods],
    ["configmaps", { group: "", resource: "configmaps" }],
    ["nonsense", undefined],
  ])("of %s", (name, resource) => {
    expect(countedResource(name)).toEqual(resource);
  });
});

describe("usedOf", () => {
  it("shows every limited name, sums and zeros", () => {
    const quota: ResourceQuota = {
      metadata: {},
      spec: { hard: { "requests.cpu": "1", pods: "2", services: "1" } },
    };
    const one = quotaUsage(
      pods,
      { metadata: {}, spec: { containers: [container({ cpu: "300m" })] } } as KubeObject,
      NOW,
    ); // A pod.
    expect(usedOf(quota, addUsage(one, one))).toEqual({ pods: "2", "requests.cpu": "600m", services: "0" });
  });
});
