import { aggregateContainers, type Node, type Pod } from "@binnacle/api";
import { forbidden, quantityToInteger, quantityToMillis } from "@binnacle/apimachinery";
import type { ApiServerCore } from "@binnacle/apiserver";
import { jsonEquals } from "@binnacle/base";
import { findObject } from "../../admission-plugins/lookup.ts";

/**
 * A pod cannot be made larger than its node. Throws 403 naming every resource there is too little of.
 *
 * Source: recorded from kubernetes v1.36; amounts are millis for CPU and bytes for memory.
 */
export function refuseWhatNodeLacks(core: ApiServerCore, pod: Pod, old: Pod): void {
  const { nodeName = "" } = pod.spec;
  const node = findObject<Node>(core, { group: "", resource: "nodes" }, nodeName);
  if (nodeName === "" || node === undefined) return;
  const requests = aggregateContainers(pod.spec, "requests");
  if (jsonEquals(requests, aggregateContainers(old.spec, "requests"))) return;
  const lacking: string[] = [];
  for (const [name, amountOf] of [
    ["cpu", quantityToMillis],
    ["memory", quantityToInteger],
  ] as const) {
    const requested = amountOf(requests[name] ?? "0");
    const allocatable = amountOf(node.status?.allocatable?.[name] ?? "0");
    if (requested > allocatable)
      lacking.push(`${name}, requested: ${requested}, allocatable: ${allocatable}`);
  }
  if (lacking.length === 0) return;
  const why = `node didn't have enough allocatable resources: ${lacking.join("; ")}`;
  const error = forbidden({ group: "", resource: "pods" }, pod.metadata.name ?? "", why);
  error.status.details = { ...error.status.details, causes: [{ reason: "NodeCapacity" }] };
  throw error;
}
