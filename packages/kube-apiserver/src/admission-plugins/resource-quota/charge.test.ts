import type { ResourceQuota } from "@binnacle/api";
import { formatQuantity, type KubeObject } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { type ChargedWrite, chargedUse, costOf, exceededBy, requestedOf } from "./charge.ts";

const NOW = Date.UTC(2026, 0, 1);

type Amounts = Record<string, string>;

function quotaOf(hard: Amounts, used: Amounts, spec: object = {}): ResourceQuota {
  return { metadata: { name: "q" }, spec: { hard, ...spec }, status: { hard, used } } as ResourceQuota; // As stored.
}

function podWrite(containers: object[], spec: object = {}): ChargedWrite {
  const object = { metadata: { name: "p" }, spec: { containers, ...spec } } as unknown as KubeObject;
  return { resource: { group: "", resource: "pods" }, object, old: undefined };
}

function serviceWrite(spec: object, old?: object): ChargedWrite {
  const service = (given: object): KubeObject => ({ metadata: {}, spec: given }) as unknown as KubeObject;
  const before = old === undefined ? undefined : service(old);
  return { resource: { group: "", resource: "services" }, object: service(spec), old: before };
}

const asking = (name: string, requests: Amounts, limits: Amounts = {}) => ({
  name,
  resources: { requests, limits },
});

/** What admission says: a refusal, or the use that is stored. */
function decide(quota: ResourceQuota, write: ChargedWrite): string | Amounts {
  const requested = requestedOf(quota, write, costOf(write, NOW));
  if ("refusal" in requested) return requested.refusal;
  return exceededBy(quota, requested) ?? chargedUse(quota, requested);
}

describe("a quota", () => {
  const small = podWrite([asking("c", { cpu: "600m" })]);

  it.each<[string, ResourceQuota, ChargedWrite, string | Amounts]>([
    [
      "is charged for what it limits only",
      quotaOf(
        { "requests.cpu": "1", pods: "2", secrets: "1" },
        { "requests.cpu": "0", pods: "0", secrets: "0" },
      ),
      small,
      { pods: "1", "requests.cpu": "600m", secrets: "0" },
    ],
    [
      "names everything that is exceeded, and nothing else",
      quotaOf(
        { "requests.cpu": "1", pods: "2", "requests.memory": "1Gi" },
        { "requests.cpu": "600m", pods: "2", "requests.memory": "0" },
      ),
      podWrite([asking("c", { cpu: "600m", memory: "1Gi" })]),
      "exceeded quota: q, requested: pods=1,requests.cpu=600m, used: pods=2,requests.cpu=600m, limited: pods=2,requests.cpu=1",
    ],
    ["may be used up exactly", quotaOf({ pods: "1" }, { pods: "0" }), small, { pods: "1" }],
    [
      "lists what containers must say, by name",
      quotaOf({ "requests.cpu": "1", "limits.memory": "1Gi" }, {}),
      podWrite([asking("b", {}), asking("a", { cpu: "1" })], { initContainers: [asking("i", {})] }),
      "failed quota: q: must specify limits.memory for: a,b,i; requests.cpu for: b,i",
    ],
    [
      "asks containers for nothing when the pod as a whole says it",
      quotaOf({ "requests.cpu": "2" }, { "requests.cpu": "0" }),
      podWrite([{ name: "c" }], { resources: { requests: { cpu: "1" } } }),
      { "requests.cpu": "1" },
    ],
    [
      "that has not been counted lets nothing through",
      quotaOf({ "requests.cpu": "1", pods: "2" }, { pods: "0" }),
      small,
      "status unknown for quota: q, resources: pods,requests.cpu",
    ],
    ["without a status limits nothing", { ...quotaOf({ pods: "0" }, {}), status: {} }, small, {}],
    [
      "with a scope ignores what is outside of it",
      quotaOf({ pods: "0" }, { pods: "0" }, { scopes: ["BestEffort"] }),
      small,
      { pods: "0" },
    ],
    [
      "with a scope counts what is inside of it",
      quotaOf({ pods: "0" }, { pods: "0" }, { scopes: ["BestEffort"] }),
      podWrite([{ name: "c" }]),
      "exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0",
    ],
    [
      "selects by priority class",
      quotaOf(
        { pods: "0" },
        { pods: "0" },
        {
          scopeSelector: {
            matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }],
          },
        },
      ),
      podWrite([{ name: "c" }], { priorityClassName: "high" }),
      "exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0",
    ],
    [
      "is charged for the node ports that an update adds",
      quotaOf({ services: "1", "services.nodeports": "2" }, { services: "1", "services.nodeports": "0" }),
      serviceWrite({ type: "NodePort", ports: [{ port: 1 }] }, { type: "ClusterIP", ports: [{ port: 1 }] }),
      { services: "1", "services.nodeports": "1" },
    ],
    [
      "gets nothing back from an update",
      quotaOf({ "services.nodeports": "2" }, { "services.nodeports": "1" }),
      serviceWrite({ type: "ClusterIP", ports: [{ port: 1 }] }, { type: "NodePort", ports: [{ port: 1 }] }),
      { "services.nodeports": "1" },
    ],
  ])("%s", (_title, quota, write, expected) => {
    expect(decide(quota, write)).toEqual(expected);
  });

  it("that was lowered below its use does not mind what it is not asked for", () => {
    const quota = quotaOf({ pods: "1", services: "1" }, { pods: "5", services: "0" });
    expect(decide(quota, serviceWrite({ type: "ClusterIP" }))).toEqual({ pods: "5", services: "1" });
  });

  it("sees claims by their storage class", () => {
    const write: ChargedWrite = {
      resource: { group: "", resource: "persistentvolumeclaims" },
      object: {
        metadata: {},
        spec: { storageClassName: "gold", resources: { requests: { storage: "2Gi" } } },
      } as KubeObject,
      old: undefined,
    };
    const cost = costOf(write, NOW);
    expect(Object.fromEntries([...cost].map(([name, amount]) => [name, formatQuantity(amount)]))).toEqual({
      "count/persistentvolumeclaims": "1",
      persistentvolumeclaims: "1",
      "requests.storage": "2Gi",
      "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
      "gold.storageclass.storage.k8s.io/requests.storage": "2Gi",
    });
  });
});
