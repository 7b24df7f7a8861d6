import {
  MAX_SCORE,
  type Plugin,
  unresolvable,
  unschedulable,
  type Verdict,
} from "../../framework/framework.ts";
import type { NodeInfo } from "../../snapshot/node-info.ts";
import { nonZeroRequests, podRequests, type ReadonlyResources } from "../../snapshot/pod-resources.ts";

/**
 * A node must have what the pod asks for, and the emptier node is the better one.
 *
 * Source: kubernetes v1.36 pkg/scheduler/framework/plugins/noderesources/{fit,least_allocated}.go.
 */
export const nodeResourcesFit: Plugin = {
  name: "NodeResourcesFit",
  preFilter: (pod) => ({ state: podRequests(pod) }),
  filter: (_pod, node, state) => fits(state as ReadonlyResources, node), // The state that preFilter gave.
  score: (pod, node) => {
    const { cpuMillis, memoryBytes } = nonZeroRequests(pod);
    const cpu = leftShare(node.allocatable.get("cpu"), node.nonZeroCpuMillis + cpuMillis);
    const memory = leftShare(node.allocatable.get("memory"), node.nonZeroMemoryBytes + memoryBytes);
    return Math.floor((cpu + memory) / 2);
  },
};

/** Even use of CPU and memory. Source: noderesources/balanced_allocation.go. */
export const balancedAllocation: Plugin = {
  name: "NodeResourcesBalancedAllocation",
  score: (pod, node) => {
    const { cpuMillis, memoryBytes } = nonZeroRequests(pod);
    const cpu = usedFraction(node.allocatable.get("cpu"), node.nonZeroCpuMillis + cpuMillis);
    const memory = usedFraction(node.allocatable.get("memory"), node.nonZeroMemoryBytes + memoryBytes);
    return Math.floor((1 - Math.abs(cpu - memory) / 2) * MAX_SCORE);
  },
};

function fits(requests: ReadonlyResources, node: NodeInfo): Verdict {
  const reasons: string[] = [];
  let isHopeless = false;
  const allowedPods = node.allocatable.get("pods") ?? 0;
  if (node.pods.size + 1 > allowedPods) reasons.push("Too many pods");
  for (const [name, amount] of requests) {
    if (amount === 0) continue;
    const allocatable = node.allocatable.get(name) ?? 0;
    if (amount <= allocatable - (node.requested.get(name) ?? 0)) continue;
    reasons.push(`Insufficient ${name}`);
    if (amount > allocatable) isHopeless = true; // Even an empty node would not do.
  }
  if (reasons.length === 0) return undefined;
  return isHopeless ? unresolvable(...reasons) : unschedulable(...reasons);
}

function leftShare(allocatable: number | undefined, requested: number): number {
  if (allocatable === undefined || allocatable === 0 || requested > allocatable) return 0;
  return Math.floor(((allocatable - requested) * MAX_SCORE) / allocatable);
}

function usedFraction(allocatable: number | undefined, requested: number): number {
  return allocatable === undefined || allocatable === 0 ? 1 : Math.min(1, requested / allocatable);
}
