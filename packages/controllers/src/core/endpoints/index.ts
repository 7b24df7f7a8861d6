import { isAlreadyExists, isNotFound, labelMatcherFromMap } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { keyOf } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerFor,
  created,
  deleted,
  done,
  enqueueMapped,
  enqueueObject,
  or,
} from "@binnacle/controller-runtime";
import { HEADLESS_LABEL } from "../../discovery/endpointslice/index.ts";
import { isHeadless } from "../../discovery/endpointslice/service-endpoints.ts";
import { enqueueServices } from "../../discovery/endpointslice/service-of-pod.ts";
import { isNamespaceTerminating } from "../../pod-control/pod-from-template.ts";
import { endpoints, nodes, pods, services } from "../../resource-types.ts";
import { subsetsOf } from "./subsets.ts";

const MANAGED_BY_LABEL = "endpoints.kubernetes.io/managed-by";
const MANAGER = "endpoint-controller";

/** Keeps the Endpoints of Services that select pods. */
export const endpointsController: ControllerDefinition = controllerFor(services)
  .named("endpoints-controller")
  .watches(pods, enqueueServices())
  .watches(endpoints, enqueueObject())
  .watches(
    nodes,
    enqueueMapped((_node, { cache }) => cache.list(services).map(keyOf)),
    or(created, deleted),
  )
  .withOptions({ concurrency: 5, eventSource: "endpoint-controller" })
  .reconcile(async (key, { client, cache }) => {
    const service = cache.get(services, key);
    const present = cache.get(endpoints, key);
    if (service === undefined) {
      // Only what this controller made: others write Endpoints by hand.
      if (present?.metadata.labels?.[MANAGED_BY_LABEL] !== MANAGER) return done;
      try {
        await client.delete(endpoints, present);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      return done;
    }
    const { selector, type } = service.spec;
    if (selector === undefined || type === "ExternalName") return done;
    const { namespace = "", labels: own = {} } = service.metadata;
    const selected = cache.list(pods, { namespace, labelSelector: labelMatcherFromMap(selector) });
    const subsets = subsetsOf(service, selected, (name) => cache.get(nodes, { name }));
    const { [HEADLESS_LABEL]: _, ...others } = own;
    const labels = {
      ...others,
      ...(isHeadless(service) ? { [HEADLESS_LABEL]: "" } : {}),
      [MANAGED_BY_LABEL]: MANAGER,
    };
    try {
      if (present === undefined) {
        await client.create(endpoints, { metadata: { namespace, name: key.name, labels }, subsets });
      } else if (
        !jsonEquals(present.subsets ?? [], subsets) ||
        !jsonEquals(present.metadata.labels ?? {}, labels)
      ) {
        await client.update(endpoints, { ...present, metadata: { ...present.metadata, labels }, subsets });
      }
    } catch (error) {
      if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;
    }
    return done;
  });
