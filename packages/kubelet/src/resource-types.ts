import type { Lease, Node, Pod } from "@binnacle/api";
import { type ResourceType, resourceType } from "@binnacle/apimachinery";

export const pods: ResourceType<Pod> = resourceType<Pod>({
  group: "",
  version: "v1",
  kind: "Pod",
  resource: "pods",
  namespaced: true,
});
export const nodes: ResourceType<Node> = resourceType<Node>({
  group: "",
  version: "v1",
  kind: "Node",
  resource: "nodes",
  namespaced: false,
});
export const leases: ResourceType<Lease> = resourceType<Lease>({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  resource: "leases",
  namespaced: true,
});
