/**
 * Mirrors Endpoints that somebody writes by hand into EndpointSlices.
 *
 * Source: kubernetes v1.36 pkg/controller/endpointslicemirroring.
 */
import type { Endpoint, EndpointAddress, EndpointSubset, Endpoints } from "@binnacle/api";
import { labelMatcherFromMap } from "@binnacle/apimachinery";
import {
  type ControllerDefinition,
  controllerFor,
  controllerReference,
  done,
  enqueueMapped,
  enqueueObject,
} from "@binnacle/controller-runtime";
import { endpointSlices, endpoints, services } from "../../resource-types.ts";
import { MANAGED_BY_LABEL, SERVICE_NAME_LABEL } from "./index.ts";
import type { AddressType, EndpointGroup } from "./service-endpoints.ts";
import { planSlices } from "./slice-plan.ts";
import { writeSlices } from "./write-slices.ts";

const MANAGER = "endpointslicemirroring-controller.k8s.io";
const SKIP_MIRROR_LABEL = "endpointslice.kubernetes.io/skip-mirror";
const LEADER_ANNOTATION = "control-plane.alpha.kubernetes.io/leader";
/** Source: pkg/controller/endpointslicemirroring/config, MirroringMaxEndpointsPerSubset. */
const MAX_ENDPOINTS_PER_SUBSET = 1000;

export const endpointSliceMirroringController: ControllerDefinition = controllerFor(endpoints)
  .named("endpointslice-mirroring-controller")
  .watches(services, enqueueObject())
  .watches(
    endpointSlices,
    enqueueMapped(({ metadata }) => {
      const { namespace = "", labels = {} } = metadata;
      const name = labels[SERVICE_NAME_LABEL];
      return name === undefined || labels[MANAGED_BY_LABEL] !== MANAGER ? [] : [{ namespace, name }];
    }),
  )
  .withOptions({ concurrency: 5, eventSource: "endpoint-slice-mirroring-controller" })
  .reconcile(async (key, context) => {
    const { cache } = context;
    const object = cache.get(endpoints, key);
    const service = cache.get(services, key);
    const { namespace = "", name } = key;
    const labels = { [SERVICE_NAME_LABEL]: name, [MANAGED_BY_LABEL]: MANAGER };
    const existing = cache.list(endpointSlices, { namespace, labelSelector: labelMatcherFromMap(labels) });
    if (
      object === undefined ||
      service === undefined ||
      service.spec.selector !== undefined ||
      !isMirrored(object)
    ) {
      await writeSlices({ create: [], update: [], delete: existing }, context);
      return done;
    }
    for (const addressType of ["IPv4", "IPv6"] as const) {
      const groups = groupsOf(object, addressType);
      const own = existing.filter((slice) => slice.addressType === addressType);
      const frame = {
        namespace,
        generateName: `${name}-`,
        labels: { ...object.metadata.labels, ...labels },
        ownerReferences: [controllerReference(endpoints, object)],
        addressType,
      };
      // A family without addresses has no slice at all.
      const plan =
        groups.length === 0 ? { create: [], update: [], delete: own } : planSlices(frame, groups, own);
      await writeSlices(plan, context);
    }
    return done;
  });

/** Not those that say otherwise, and not old leader-election records. */
function isMirrored({ metadata }: Endpoints): boolean {
  return (
    metadata.labels?.[SKIP_MIRROR_LABEL] !== "true" && metadata.annotations?.[LEADER_ANNOTATION] === undefined
  );
}

/** The addresses of one family, by subset. */
export function groupsOf({ subsets = [] }: Endpoints, addressType: AddressType): EndpointGroup[] {
  return subsets
    .map((subset) => ({
      ports: (subset.ports ?? []).map(({ name = "", protocol = "TCP", port, appProtocol }) => ({
        name,
        protocol,
        port,
        ...(appProtocol === undefined ? {} : { appProtocol }),
      })),
      endpoints: endpointsOf(subset, addressType).slice(0, MAX_ENDPOINTS_PER_SUBSET),
    }))
    .filter((group) => group.endpoints.length > 0);
}

function endpointsOf(
  { addresses = [], notReadyAddresses = [] }: EndpointSubset,
  addressType: AddressType,
): Endpoint[] {
  const ofType = ({ ip }: EndpointAddress): boolean => ip.includes(":") === (addressType === "IPv6");
  return [
    ...addresses.filter(ofType).map((address) => endpointOf(address, true)),
    ...notReadyAddresses.filter(ofType).map((address) => endpointOf(address, false)),
  ];
}

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname === undefined ? {} : { hostname }),
    ...(targetRef === undefined ? {} : { targetRef }),
    ...(nodeName === undefined ? {} : { nodeName }),
  };
}
