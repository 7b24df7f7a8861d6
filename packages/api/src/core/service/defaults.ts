import type { Service } from "../../generated/core-v1.generated.ts";
import { isExternallyAccessible } from "./service-kind.ts";

/** Seconds a client sticks to its endpoint: three hours. */
const DEFAULT_AFFINITY_SECONDS = 10_800;

/** Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Service. */
export function setServiceDefaults(service: Service): void {
  service.spec ??= {};
  const { spec } = service;
  spec.sessionAffinity ??= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (
    spec.sessionAffinity === "ClientIP" &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  ) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: DEFAULT_AFFINITY_SECONDS } };
  }
  spec.type ??= "ClusterIP";
  for (const port of spec.ports ?? []) {
    port.protocol ??= "TCP";
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === "")
      port.targetPort = port.port;
  }
  if (isExternallyAccessible(service)) spec.externalTrafficPolicy ??= "Cluster";
  if (spec.type === "NodePort" || spec.type === "LoadBalancer" || spec.type === "ClusterIP") {
    spec.internalTrafficPolicy ??= "Cluster";
  }
  if (spec.type !== "LoadBalancer") return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= "VIP";
  }
}
