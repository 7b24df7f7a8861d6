import type { Pod } from "@binnacle/api";
import { type KubeObject, type LabelMatcher, matchLabels, type ResourceType } from "@binnacle/apimachinery";
import { keyOf } from "@binnacle/client";
import { controllerOf, type EventHandler, enqueueMapped } from "@binnacle/controller-runtime";

/**
 * The objects of a resource whose selector selects a pod that nobody controls: they may want to adopt it, and must
 * notice when it no longer fits.
 */
export function enqueueSelecting<O extends KubeObject>(
  type: ResourceType<O>,
  selectorOf: (object: O) => LabelMatcher,
): EventHandler<Pod> {
  return enqueueMapped<Pod>((pod, { cache }) => {
    const { namespace } = pod.metadata;
    if (controllerOf(pod) !== undefined || namespace === undefined) return [];
    return cache
      .list(type, { namespace })
      .filter((owner) => matchLabels(selectorOf(owner), pod.metadata.labels))
      .map(keyOf);
  });
}
