import { addQuantities, compareQuantities, type Quantity, quantitySign } from "@binnacle/apimachinery";
import type { PodSpec } from "../../generated/core-v1.generated.ts";

export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

type Amounts = Map<string, string | Quantity>;

/**
 * How firmly a pod holds its cpu and memory: all of it reserved, some of it, or none.
 *
 * Source: kubernetes v1.36 pkg/apis/core/helper/qos/qos.go, ComputePodQOS.
 */
export function qosClassOf(spec: PodSpec): QosClass {
  const requests: Amounts = new Map();
  const limits: Amounts = new Map();
  let guaranteed = true;
  if (spec.resources !== undefined) {
    add(requests, spec.resources.requests);
    const limited = add(limits, spec.resources.limits);
    if (Object.keys(spec.resources.limits ?? {}).length > 0 && limited < 2) guaranteed = false;
  } else {
    for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
      add(requests, resources?.requests);
      if (add(limits, resources?.limits) < 2) guaranteed = false;
    }
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  if (!guaranteed || requests.size !== limits.size) return "Burstable";
  for (const [name, amount] of requests) {
    const limit = limits.get(name);
    if (limit === undefined || compareQuantities(limit, amount) !== 0) return "Burstable";
  }
  return "Guaranteed";
}

/** Adds cpu and memory above zero; how many of the two there were. */
function add(total: Amounts, list: Readonly<Record<string, string>> | undefined): number {
  let found = 0;
  for (const name of ["cpu", "memory"]) {
    const amount = list?.[name];
    if (amount === undefined || quantitySign(amount) <= 0) continue;
    found++;
    const before = total.get(name);
    total.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
  return found;
}
