import { roundUpQuantity } from "@binnacle/apimachinery";
import type { Node } from "../../generated/core-v1.generated.ts";

/**
 * Keeps the two forms of the pod range in step, and lets pods use everything a node has.
 *
 * Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_NodeStatus; conversion.go,
 * Convert_v1_NodeSpec_To_core_NodeSpec.
 */
export function setNodeDefaults(node: Node): void {
  node.spec ??= {};
  const { spec } = node;
  if (spec.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  const first = spec.podCIDRs?.[0];
  if (first) spec.podCIDR = first;
  const { status } = node;
  if (status === undefined) return;
  if (status.allocatable === undefined && status.capacity !== undefined)
    status.allocatable = { ...status.capacity };
  for (const list of [status.capacity, status.allocatable]) roundUpResources(list);
}

/**
 * Amounts of resources have three decimals at most.
 *
 * Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_ResourceList.
 */
export function roundUpResources(list: Record<string, string> | undefined): void {
  if (list === undefined) return;
  for (const name of Object.keys(list)) {
    const amount = list[name]!;
    if (/[nu]$|\.|[eE]-/.test(amount)) list[name] = roundUpQuantity(amount, -3);
  }
}
