/**
 * Which pods stand behind a Service, and on which ports: pure.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/{utils,reconciler}.go.
 */
import type { Endpoint, EndpointSlicePort, Node, Pod, Service, ServicePort } from "@binnacle/api";
import { isPodFinished, isPodReady, isPodTerminating } from "../../pod-control/pod-state.ts";
import { pods } from "../../resource-types.ts";

export type AddressType = "IPv4" | "IPv6";

const ZONE_LABEL = "topology.kubernetes.io/zone";

/** Endpoints with the same ports. */
export interface EndpointGroup {
  readonly ports: readonly EndpointSlicePort[];
  readonly endpoints: readonly Endpoint[];
}

/** The families that the Service has. */
export function addressTypesOf(service: Service): AddressType[] {
  const families = service.spec.ipFamilies ?? [];
  if (families.length === 0) return ["IPv4"];
  return families.map((family) => (family === "IPv6" ? "IPv6" : "IPv4"));
}

/** The endpoints of one family, grouped by their ports: a named port may have another number in each pod. */
export function endpointGroups(
  service: Service,
  selected: readonly Pod[],
  nodeOf: (name: string) => Node | undefined,
  addressType: AddressType,
): EndpointGroup[] {
  const groups = new Map<string, { ports: EndpointSlicePort[]; endpoints: Endpoint[] }>();
  for (const pod of selected) {
    const addresses = addressesOf(pod, addressType);
    if (isPodFinished(pod) || addresses.length === 0) continue;
    const node = nodeOf(pod.spec.nodeName ?? "");
    // A pod whose node is gone or was never there serves nobody.
    if (node === undefined && service.spec.publishNotReadyAddresses !== true) continue;
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    groups.set(key, group);
    group.endpoints.push(endpointOf(service, pod, node, addresses));
  }
  return [...groups.values()];
}

export function isHeadless(service: Service): boolean {
  return service.spec.clusterIP === "None" || (service.spec.clusterIP ?? "") === "";
}

function addressesOf(pod: Pod, addressType: AddressType): string[] {
  return (pod.status?.podIPs ?? [])
    .map(({ ip }) => ip)
    .filter((ip) => ip !== "" && ip.includes(":") === (addressType === "IPv6"));
}

function endpointOf(service: Service, pod: Pod, node: Node | undefined, addresses: string[]): Endpoint {
  const serving = isPodReady(pod);
  const terminating = isPodTerminating(pod);
  const { namespace = "", name = "", uid = "" } = pod.metadata;
  const { nodeName, hostname, subdomain } = pod.spec;
  const zone = node?.metadata.labels?.[ZONE_LABEL];
  const isNamed =
    hostname !== undefined && subdomain === service.metadata.name && namespace === service.metadata.namespace;
  return {
    addresses,
    conditions: {
      ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(isNamed ? { hostname } : {}),
    targetRef: { kind: pods.kind, namespace, name, uid },
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(zone === undefined ? {} : { zone }),
  };
}

/** The Service's ports as numbers in this pod; ports that the pod does not have are left out. */
export function portsOf(service: Service, pod: Pod): EndpointSlicePort[] {
  return (service.spec.ports ?? []).flatMap((servicePort) => {
    const port = targetPortOf(servicePort, pod);
    if (port === undefined) return [];
    const { name = "", protocol = "TCP", appProtocol } = servicePort;
    return [{ name, protocol, port, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

/** Source: kubernetes v1.36 pkg/api/v1/pod/util.go, FindPort. */
function targetPortOf({ targetPort, port, protocol = "TCP" }: ServicePort, pod: Pod): number | undefined {
  if (typeof targetPort === "number") return targetPort === 0 ? port : targetPort;
  if (targetPort === undefined || targetPort === "") return port;
  const sidecars = (pod.spec.initContainers ?? []).filter((each) => each.restartPolicy === "Always");
  for (const container of [...pod.spec.containers, ...sidecars]) {
    const found = container.ports?.find(
      (each) => each.name === targetPort && (each.protocol ?? "TCP") === protocol,
    );
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}
