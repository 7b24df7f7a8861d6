/**
 * What objects count towards a ResourceQuota: pure. Admission charges new objects by it, the controller counts by it.
 *
 * Source: kubernetes v1.36 pkg/quota/v1/evaluator/core and staging/src/k8s.io/apiserver/pkg/quota/v1/generic.
 */
import {
  addQuantities,
  formatGroupResource,
  formatQuantity,
  type GroupResource,
  type KubeObject,
  parseQuantity,
  type Quantity,
  quantityOf,
  timeToMs,
} from "@binnacle/apimachinery";
import type {
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  ScopedResourceSelectorRequirement,
  Service,
} from "../../generated/core-v1.generated.ts";
import { podResources } from "./pod-resources.ts";

/** Amounts by quota name, such as `requests.cpu` or `count/secrets`. */
export type QuotaUsage = ReadonlyMap<string, Quantity>;

const ONE: Quantity = quantityOf(1);
const ZERO: Quantity = quantityOf(0);

/** Kinds that are counted under their own name too, as before `count/` was. */
const LEGACY_COUNTS: ReadonlySet<string> = new Set([
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
]);

/** What one object of a resource counts for. */
export function quotaUsage(resource: GroupResource, object: KubeObject, nowMs: number): QuotaUsage {
  const usage = new Map<string, Quantity>([[countName(resource), ONE]]);
  if (resource.group === "") {
    switch (resource.resource) {
      case "pods":
        addPod(usage, object as Pod, nowMs); // An object of the resource named.
        return usage;
      case "services":
        addService(usage, object as Service); // As above.
        break;
      case "persistentvolumeclaims":
        addClaim(usage, object as PersistentVolumeClaim); // As above.
    }
    if (LEGACY_COUNTS.has(resource.resource)) usage.set(resource.resource, ONE);
  }
  return usage;
}

/** Whether the quota counts this object: its scopes say so, and they speak of pods and claims only. */
export function quotaCovers(quota: ResourceQuota, resource: GroupResource, object: KubeObject): boolean {
  const scopes: readonly ScopedResourceSelectorRequirement[] = [
    ...(quota.spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(quota.spec.scopeSelector?.matchExpressions ?? []),
  ];
  if (scopes.length === 0) return true;
  const isCore = resource.group === "";
  if (isCore && resource.resource === "pods") return scopes.every((scope) => podIsIn(object as Pod, scope)); // By resource.
  if (isCore && resource.resource === "persistentvolumeclaims")
    return scopes.every((scope) => claimIsIn(object as PersistentVolumeClaim, scope)); // By resource.
  return false;
}

/** The resource that a quota name counts objects of; undefined for names that nothing is known of. */
export function countedResource(name: string): GroupResource | undefined {
  if (name.startsWith("count/")) {
    const [resource = "", ...group] = name.slice("count/".length).split(".");
    return { group: group.join("."), resource };
  }
  if (name.includes(".storageclass.storage.k8s.io/") || name === "requests.storage")
    return { group: "", resource: "persistentvolumeclaims" };
  if (name.startsWith("services.")) return { group: "", resource: "services" };
  if (LEGACY_COUNTS.has(name)) return { group: "", resource: name };
  const isOfPods =
    /^(?:requests|limits)\./.test(name) ||
    name === "cpu" ||
    name === "memory" ||
    name === "ephemeral-storage";
  return isOfPods || name.startsWith("hugepages-") ? { group: "", resource: "pods" } : undefined;
}

/** The sum of two usages. */
export function addUsage(a: QuotaUsage, b: QuotaUsage): QuotaUsage {
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, addQuantities(sum.get(name) ?? ZERO, amount));
  return sum;
}

/** The usage of the names that a quota limits, as its status shows it: what is not used is 0. */
export function usedOf(quota: ResourceQuota, usage: QuotaUsage): Record<string, string> {
  const names = Object.keys(quota.spec.hard ?? {}).sort();
  return Object.fromEntries(
    names
      .filter((name) => countedResource(name) !== undefined)
      .map((name) => [name, formatQuantity(usage.get(name) ?? ZERO)]),
  );
}

function countName(resource: GroupResource): string {
  return `count/${formatGroupResource(resource)}`;
}

/** Finished pods, and those that should be gone by now, use nothing but their place. */
function addPod(usage: Map<string, Quantity>, pod: Pod, nowMs: number): void {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const isFinished = pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded";
  const isOverdue =
    deletionTimestamp !== undefined &&
    deletionGracePeriodSeconds !== undefined &&
    timeToMs(deletionTimestamp) + deletionGracePeriodSeconds * 1000 < nowMs;
  if (isFinished || isOverdue) return;
  usage.set("pods", ONE);
  for (const [name, amount] of podResources(pod, "requests")) {
    if (name === "cpu" || name === "memory" || name === "ephemeral-storage" || name.startsWith("hugepages-"))
      usage.set(name, amount);
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of podResources(pod, "limits")) usage.set(`limits.${name}`, amount);
}

function addService(usage: Map<string, Quantity>, { spec }: Service): void {
  const ports = spec.ports ?? [];
  if (spec.type === "NodePort") usage.set("services.nodeports", quantityOf(ports.length));
  if (spec.type !== "LoadBalancer") return;
  usage.set("services.loadbalancers", ONE);
  const allocates = spec.allocateLoadBalancerNodePorts !== false;
  const nodePorts = allocates ? ports.length : ports.filter((port) => (port.nodePort ?? 0) !== 0).length;
  usage.set("services.nodeports", quantityOf(nodePorts));
}

function addClaim(usage: Map<string, Quantity>, { spec, status }: PersistentVolumeClaim): void {
  const storageClass = spec.storageClassName ?? "";
  const prefix = `${storageClass}.storageclass.storage.k8s.io/`;
  if (storageClass !== "") usage.set(`${prefix}persistentvolumeclaims`, ONE);
  const text = status?.allocatedResources?.["storage"] ?? spec.resources?.requests?.["storage"];
  if (text === undefined) return;
  const amount = parseQuantity(text);
  usage.set("requests.storage", amount);
  if (storageClass !== "") usage.set(`${prefix}requests.storage`, amount);
}

function podIsIn(pod: Pod, { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement): boolean {
  const { spec } = pod;
  switch (scopeName) {
    case "Terminating":
      return (spec.activeDeadlineSeconds ?? -1) >= 0;
    case "NotTerminating":
      return (spec.activeDeadlineSeconds ?? -1) < 0;
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "CrossNamespacePodAffinity":
      return usesOtherNamespaces(pod);
    case "PriorityClass":
      return matches(spec.priorityClassName ?? "", operator, values);
    default:
      return false;
  }
}

function claimIsIn(
  { spec }: PersistentVolumeClaim,
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
): boolean {
  return (
    scopeName === "VolumeAttributesClass" && matches(spec.volumeAttributesClassName ?? "", operator, values)
  );
}

function matches(value: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case "In":
      return value !== "" && values.includes(value);
    case "NotIn":
      return !values.includes(value);
    case "Exists":
      return value !== "";
    case "DoesNotExist":
      return value === "";
    default:
      return false;
  }
}

function isBestEffort(pod: Pod): boolean {
  const asked = [...podResources(pod, "requests"), ...podResources(pod, "limits")];
  return !asked.some(([name, { unscaled }]) => (name === "cpu" || name === "memory") && unscaled !== 0n);
}

function usesOtherNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((each) => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      (weighted) => weighted.podAffinityTerm,
    ),
  ]);
  return terms.some((term) => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined);
}
