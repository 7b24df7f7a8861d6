import { jsonEquals } from "@binnacle/base";
import type { Service, ServiceSpec } from "../../generated/core-v1.generated.ts";
import {
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheckNodePort,
  needsNodePort,
} from "./service-kind.ts";

/** Source: kubernetes v1.36 pkg/registry/core/service/strategy.go, PrepareForCreate. */
export function prepareServiceForCreate(service: Service): void {
  service.status = { loadBalancer: {} };
  normalizeClusterIps(service, undefined);
}

/** Source: kubernetes v1.36 pkg/registry/core/service/strategy.go, PrepareForUpdate. */
export function prepareServiceForUpdate(updated: Service, old: Service): void {
  updated.status = old.status ?? { loadBalancer: {} };
  patchAllocatedValues(updated, old);
  normalizeClusterIps(updated, old);
  dropFieldsOfOtherType(updated, old);
}

/**
 * Keeps `clusterIP` and `clusterIPs` in step for clients that know only one of them. Must run before anything looks at
 * either, allocation included.
 *
 * Source: kubernetes v1.36 pkg/registry/core/service/storage/storage.go, normalizeClusterIPs.
 */
export function normalizeClusterIps(updated: Service, old: Service | undefined): void {
  updated.spec ??= {};
  const { spec } = updated;
  const one = spec.clusterIP ?? "";
  if (old === undefined) {
    if (one !== "" && isEmpty(spec.clusterIPs)) spec.clusterIPs = [one];
    return;
  }
  const before = old.spec ?? {};
  if (!isEmpty(before.clusterIPs) && isEmpty(spec.clusterIPs) && (before.clusterIP ?? "") === one) {
    spec.clusterIPs = [...before.clusterIPs!];
  }
  if ((before.clusterIP ?? "") === one || !jsonEquals(before.clusterIPs, spec.clusterIPs)) return;
  if (one === "") delete spec.clusterIPs;
  else spec.clusterIPs = [one];
}

/**
 * Gives an update the addresses and ports that were allocated, where the client left them out.
 *
 * Source: kubernetes v1.36 pkg/registry/core/service/storage/storage.go, patchAllocatedValues.
 */
export function patchAllocatedValues(updated: Service, old: Service): void {
  updated.spec ??= {};
  const { spec } = updated;
  const before = old.spec ?? {};
  if (needsClusterIp(old) && needsClusterIp(updated)) {
    if (!spec.clusterIP && before.clusterIP) spec.clusterIP = before.clusterIP;
    if (isEmpty(spec.clusterIPs) && spec.clusterIP === before.clusterIP && before.clusterIPs !== undefined) {
      spec.clusterIPs = [...before.clusterIPs];
    }
  }
  if (needsNodePort(old) && needsNodePort(updated)) patchNodePorts(spec, before);
  if (needsHealthCheckNodePort(old) && needsHealthCheckNodePort(updated) && before.healthCheckNodePort) {
    spec.healthCheckNodePort ??= before.healthCheckNodePort;
  }
}

function patchNodePorts(spec: ServiceSpec, before: ServiceSpec): void {
  const now = new Set(spec.ports?.map((port) => port.nodePort));
  const used = new Set(before.ports?.map((port) => port.nodePort).filter((port) => port && now.has(port)));
  const byName = new Map(before.ports?.map((port) => [port.name ?? "", port.nodePort]));
  for (const port of spec.ports ?? []) {
    const known = byName.get(port.name ?? "");
    if (port.nodePort || !known || used.has(known)) continue;
    port.nodePort = known;
    used.add(known);
  }
}

/**
 * Clears what the new type has no use for, unless the client has just set it.
 *
 * Source: kubernetes v1.36 pkg/registry/core/service/strategy.go, dropTypeDependentFields.
 */
function dropFieldsOfOtherType(updated: Service, old: Service): void {
  const spec = updated.spec ?? {};
  const before = old.spec ?? {};
  const dropUnchanged = (field: keyof ServiceSpec): void => {
    if (jsonEquals(spec[field], before[field])) delete spec[field];
  };
  if (needsClusterIp(old) && !needsClusterIp(updated)) {
    if (jsonEquals(spec.clusterIPs, before.clusterIPs)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    dropUnchanged("ipFamilies");
    dropUnchanged("ipFamilyPolicy");
    dropUnchanged("internalTrafficPolicy");
  }
  if (needsNodePort(old) && !needsNodePort(updated) && sameNodePorts(spec, before)) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheckNodePort(old) && !needsHealthCheckNodePort(updated))
    dropUnchanged("healthCheckNodePort");
  if (before.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    dropUnchanged("allocateLoadBalancerNodePorts");
    dropUnchanged("loadBalancerClass");
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(updated)) dropUnchanged("externalTrafficPolicy");
}

function sameNodePorts(a: ServiceSpec, b: ServiceSpec): boolean {
  const ports = (spec: ServiceSpec): number[] => [
    ...new Set((spec.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []))),
  ];
  return jsonEquals(ports(a).sort(), ports(b).sort());
}

function isEmpty(list: readonly unknown[] | undefined): boolean {
  return list === undefined || list.length === 0;
}
