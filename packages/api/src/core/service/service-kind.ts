import type { Service } from "../../generated/core-v1.generated.ts";

/** No address is allocated; DNS names the pods themselves. */
export function isHeadless(service: Service): boolean {
  const addresses = service.spec?.clusterIPs;
  return addresses?.length === 1 && addresses[0] === "None";
}

/** Source: kubernetes v1.36 pkg/api/service/util.go, ExternallyAccessible. */
export function isExternallyAccessible(service: Service): boolean {
  const { type, externalIPs } = service.spec ?? {};
  return (
    type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && (externalIPs ?? []).length > 0)
  );
}

/** Every type but ExternalName is given an address. */
export function needsClusterIp(service: Service): boolean {
  return service.spec?.type !== "ExternalName";
}

export function needsNodePort(service: Service): boolean {
  const { type, allocateLoadBalancerNodePorts } = service.spec ?? {};
  return type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false);
}

/** Nodes tell a load balancer whether they have an endpoint on a port of its own. */
export function needsHealthCheckNodePort(service: Service): boolean {
  return service.spec?.type === "LoadBalancer" && service.spec.externalTrafficPolicy === "Local";
}
