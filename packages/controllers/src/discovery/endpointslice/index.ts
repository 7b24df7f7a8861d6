import type { Service } from "@binnacle/api";
import { labelMatcherFromMap } from "@binnacle/apimachinery";
import { keyOf } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerFor,
  controllerReference,
  created,
  deleted,
  done,
  enqueueMapped,
  isTerminating,
  or,
  type Reconcile,
} from "@binnacle/controller-runtime";
import { endpointSlices, nodes, pods, services } from "../../resource-types.ts";
import { addressTypesOf, endpointGroups, isHeadless } from "./service-endpoints.ts";
import { enqueueServices } from "./service-of-pod.ts";
import { planSlices, type SliceFrame } from "./slice-plan.ts";
import { writeSlices } from "./write-slices.ts";

export const SERVICE_NAME_LABEL = "kubernetes.io/service-name";
export const MANAGED_BY_LABEL = "endpointslice.kubernetes.io/managed-by";
export const HEADLESS_LABEL = "service.kubernetes.io/headless";
const MANAGER = "endpointslice-controller.k8s.io";

/**
 * Keeps the EndpointSlices of Services that select pods.
 *
 * Differs from upstream: the annotation with the time of the last change is not written, nor are topology hints.
 */
export const endpointSliceController: ControllerDefinition = controllerFor(services)
  .named("endpointslice-controller")
  .watches(pods, enqueueServices())
  .watches(
    endpointSlices,
    enqueueMapped(({ metadata }) => {
      const { namespace = "", labels = {} } = metadata;
      const name = labels[SERVICE_NAME_LABEL];
      return name === undefined || labels[MANAGED_BY_LABEL] !== MANAGER ? [] : [{ namespace, name }];
    }),
  )
  .watches(
    nodes,
    // Pods of a node count only while it exists.
    enqueueMapped((_node, { cache }) => cache.list(services).map(keyOf)),
    or(created, deleted),
  )
  .withOptions({ concurrency: 5, eventSource: "endpoint-slice-controller" })
  .reconcile((key, context) => reconcileService(key, context));

const reconcileService: Reconcile = async (key, context) => {
  const { cache } = context;
  const service = cache.get(services, key);
  // Slices of a Service that is gone are collected. Without a selector they are somebody else's.
  if (service === undefined || isTerminating(service) || service.spec.selector === undefined) return done;
  const { namespace = "" } = service.metadata;
  if (service.spec.type === "ExternalName") return done;
  const selected = cache.list(pods, { namespace, labelSelector: labelMatcherFromMap(service.spec.selector) });
  const existing = cache
    .list(endpointSlices, {
      namespace,
      labelSelector: labelMatcherFromMap({ [SERVICE_NAME_LABEL]: key.name, [MANAGED_BY_LABEL]: MANAGER }),
    })
    .filter((slice) => !isTerminating(slice));
  const types = addressTypesOf(service);
  for (const addressType of types) {
    const groups = endpointGroups(service, selected, (name) => cache.get(nodes, { name }), addressType);
    const own = existing.filter((slice) => slice.addressType === addressType);
    await writeSlices(planSlices(frameOf(service, addressType), groups, own), context);
  }
  // The Service no longer has these families.
  const others = existing.filter((slice) => !types.some((type) => type === slice.addressType));
  await writeSlices({ create: [], update: [], delete: others }, context);
  return done;
};

function frameOf(service: Service, addressType: string): SliceFrame {
  const { namespace = "", name = "", labels = {} } = service.metadata;
  const { [SERVICE_NAME_LABEL]: _, [MANAGED_BY_LABEL]: __, [HEADLESS_LABEL]: ___, ...own } = labels;
  return {
    namespace,
    generateName: `${name}-`,
    labels: {
      ...own,
      ...(isHeadless(service) ? { [HEADLESS_LABEL]: "" } : {}),
      [SERVICE_NAME_LABEL]: name,
      [MANAGED_BY_LABEL]: MANAGER,
    },
    ownerReferences: [controllerReference(services, service)],
    addressType,
  };
}
