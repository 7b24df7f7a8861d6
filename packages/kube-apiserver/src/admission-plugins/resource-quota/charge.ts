/**
 * What a write costs a quota, and whether the quota has it left: pure.
 *
 * Source: kubernetes v1.36 apiserver/pkg/admission/plugin/resourcequota/controller.go, CheckRequest, and
 * pkg/quota/v1/evaluator/core/pods.go, Constraints.
 */
import {
  countedResource,
  type Pod,
  type QuotaUsage,
  quotaCovers,
  quotaUsage,
  type ResourceQuota,
} from "@binnacle/api";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type GroupResource,
  type KubeObject,
  type Quantity,
  quantitySign,
  subtractQuantities,
} from "@binnacle/apimachinery";

/** A write that may cost something. */
export interface ChargedWrite {
  readonly resource: GroupResource;
  readonly object: KubeObject;
  /** Undefined for a create. */
  readonly old: KubeObject | undefined;
}

/** What the write uses beyond what was used before. What it gives back the quota controller finds. */
export function costOf({ resource, object, old }: ChargedWrite, nowMs: number): QuotaUsage {
  const before = old === undefined ? new Map<string, Quantity>() : quotaUsage(resource, old, nowMs);
  const cost = new Map<string, Quantity>();
  for (const [name, amount] of quotaUsage(resource, object, nowMs)) {
    const used = before.get(name);
    const more = used === undefined ? amount : subtractQuantities(amount, used);
    if (quantitySign(more) > 0) cost.set(name, more);
  }
  return cost;
}

/**
 * What the write costs this quota: nothing when the quota does not speak of it, an explanation when the write does not
 * say what the quota must know.
 */
export function requestedOf(
  quota: ResourceQuota,
  write: ChargedWrite,
  cost: QuotaUsage,
): QuotaUsage | { readonly refusal: string } {
  const { name = "" } = quota.metadata;
  const limited = Object.keys(quota.status?.hard ?? {}).filter((each) => counts(each, write.resource));
  if (limited.length === 0 || !quotaCovers(quota, write.resource, write.object)) return NOTHING;
  if (write.resource.group === "" && write.resource.resource === "pods") {
    const missing = missingAmounts(write.object as Pod, limited); // An object of that resource.
    if (missing !== "") return { refusal: `failed quota: ${name}: must specify ${missing}` };
  }
  const used = quota.status?.used ?? {};
  if (limited.some((each) => !Object.hasOwn(used, each))) {
    return { refusal: `status unknown for quota: ${name}, resources: ${limited.sort().join(",")}` };
  }
  return new Map([...cost].filter(([each]) => limited.includes(each)));
}

/** Why the quota does not have this left; undefined when it has. */
export function exceededBy(quota: ResourceQuota, requested: QuotaUsage): string | undefined {
  const { hard = {}, used = {} } = quota.status ?? {};
  const exceeded = [...requested.keys()]
    .filter((name) => {
      const limit = Object.hasOwn(hard, name) ? hard[name] : undefined;
      return limit !== undefined && compareQuantities(usedAfter(used, requested, name), limit) > 0;
    })
    .sort();
  if (exceeded.length === 0) return undefined;
  const show = (amountOf: (name: string) => string | undefined): string =>
    exceeded.map((name) => `${name}=${amountOf(name) ?? "0"}`).join(",");
  const asked = show((name) => formatQuantity(requested.get(name)!)); // Exceeded names are requested ones.
  const limits = show((name) => hard[name]);
  return `exceeded quota: ${quota.metadata.name}, requested: ${asked}, used: ${show((name) => used[name])}, limited: ${limits}`;
}

/** The quota's use with the request added. */
export function chargedUse(quota: ResourceQuota, requested: QuotaUsage): Record<string, string> {
  const used = quota.status?.used ?? {};
  const names = [...new Set([...Object.keys(used), ...requested.keys()])].sort();
  return Object.fromEntries(names.map((name) => [name, formatQuantity(usedAfter(used, requested, name))]));
}

const NOTHING: QuotaUsage = new Map();

function usedAfter(used: Readonly<Record<string, string>>, requested: QuotaUsage, name: string): Quantity {
  const before = Object.hasOwn(used, name) ? used[name] : undefined;
  return addQuantities(before ?? "0", requested.get(name) ?? "0");
}

function counts(name: string, resource: GroupResource): boolean {
  const counted = countedResource(name);
  return counted !== undefined && counted.group === resource.group && counted.resource === resource.resource;
}

/**
 * Names that every container must state once a quota limits them. Upstream regrets it for these and adds no others.
 */
const STATED: ReadonlyMap<string, readonly ["requests" | "limits", "cpu" | "memory"]> = new Map([
  ["cpu", ["requests", "cpu"]],
  ["memory", ["requests", "memory"]],
  ["requests.cpu", ["requests", "cpu"]],
  ["requests.memory", ["requests", "memory"]],
  ["limits.cpu", ["limits", "cpu"]],
  ["limits.memory", ["limits", "memory"]],
]);

/** The amounts that containers leave out, as `requests.cpu for: a,b; limits.cpu for: a`. */
function missingAmounts({ spec }: Pod, limited: readonly string[]): string {
  // What is said of the pod as a whole is enough.
  if (spec.resources?.requests !== undefined || spec.resources?.limits !== undefined) return "";
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  const missing = [...limited].sort().flatMap((name) => {
    const stated = STATED.get(name);
    if (stated === undefined) return [];
    const [kind, resource] = stated;
    const without = containers.filter(({ resources }) => resources?.[kind]?.[resource] === undefined);
    const names = [...new Set(without.map((container) => container.name))].sort();
    return names.length === 0 ? [] : [`${name} for: ${names.join(",")}`];
  });
  return missing.join("; ");
}
