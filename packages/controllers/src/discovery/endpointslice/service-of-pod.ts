import type { Pod, Service } from "@binnacle/api";
import { labelMatcherFromMap, matchLabels } from "@binnacle/apimachinery";
import { keyOf } from "@binnacle/client";
import { type Cache, type EventHandler, enqueueMapped } from "@binnacle/controller-runtime";
import { services } from "../../resource-types.ts";

/** The Services that select a pod. */
export function enqueueServices(): EventHandler<Pod> {
  return enqueueMapped<Pod>((pod, { cache }) => servicesSelecting(cache, pod).map(keyOf));
}

function servicesSelecting(cache: Cache, pod: Pod): Service[] {
  return cache
    .list(services, { namespace: pod.metadata.namespace ?? "" })
    .filter(
      ({ spec }) =>
        spec.selector !== undefined && matchLabels(labelMatcherFromMap(spec.selector), pod.metadata.labels),
    );
}
