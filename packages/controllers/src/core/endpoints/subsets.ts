/**
 * The older form of a Service's endpoints: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/endpoint/endpoints_controller.go and pkg/api/v1/endpoints/util.go.
 */
import type { EndpointAddress, EndpointPort, EndpointSubset, Node, Pod, Service } from "@binnacle/api";
import { portsOf } from "../../discovery/endpointslice/service-endpoints.ts";
import { isPodFinished, isPodReady, isPodTerminating } from "../../pod-control/pod-state.ts";

/** Source: endpoints_controller.go, maxCapacity. */
const MAX_ADDRESSES = 1000;

/** Addresses grouped by their ports, ready ones apart from others; everything in a stable order. */
export function subsetsOf(
  service: Service,
  selected: readonly Pod[],
  nodeOf: (name: string) => Node | undefined,
): EndpointSubset[] {
  const publishesAll = service.spec.publishNotReadyAddresses === true;
  const groups = new Map<
    string,
    { ports: EndpointPort[]; ready: EndpointAddress[]; notReady: EndpointAddress[] }
  >();
  const isIpv6 = service.spec.ipFamilies?.[0] === "IPv6";
  let count = 0;
  for (const pod of selected) {
    const ip = (pod.status?.podIPs ?? [])
      .map((each) => each.ip)
      .find((each) => each.includes(":") === isIpv6);
    if (ip === undefined || ip === "" || isPodFinished(pod) || count >= MAX_ADDRESSES) continue;
    if (isPodTerminating(pod) && !publishesAll) continue;
    if (nodeOf(pod.spec.nodeName ?? "") === undefined && !publishesAll) continue;
    const ports = portsOf(service, pod).map(({ name = "", port = 0, protocol, appProtocol }) => ({
      ...(name === "" ? {} : { name }),
      port,
      ...(protocol === undefined ? {} : { protocol }),
      ...(appProtocol === undefined ? {} : { appProtocol }),
    }));
    if (ports.length === 0 && (service.spec.ports ?? []).length > 0) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, ready: [], notReady: [] };
    groups.set(key, group);
    (publishesAll || isPodReady(pod) ? group.ready : group.notReady).push(addressOf(service, pod, ip));
    count++;
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { ports, ready, notReady }]) => ({
      ...(ready.length === 0 ? {} : { addresses: ready.sort(byAddress) }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady.sort(byAddress) }),
      ...(ports.length === 0 ? {} : { ports: [...ports].sort(byPort) }),
    }));
}

function addressOf(service: Service, pod: Pod, ip: string): EndpointAddress {
  const { namespace = "", name = "", uid = "" } = pod.metadata;
  const { hostname, subdomain, nodeName } = pod.spec;
  const isNamed = hostname !== undefined && subdomain === service.metadata.name;
  return {
    ip,
    ...(isNamed ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

function byAddress(a: EndpointAddress, b: EndpointAddress): number {
  if (a.ip !== b.ip) return a.ip < b.ip ? -1 : 1;
  return (a.targetRef?.uid ?? "") < (b.targetRef?.uid ?? "") ? -1 : 1;
}

function byPort(a: EndpointPort, b: EndpointPort): number {
  if ((a.name ?? "") !== (b.name ?? "")) return (a.name ?? "") < (b.name ?? "") ? -1 : 1;
  return a.port - b.port;
}
