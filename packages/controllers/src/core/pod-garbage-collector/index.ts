import type { Node, Pod } from "@binnacle/api";
import { isConflict, isNotFound } from "@binnacle/apimachinery";
import {
  type ControllerDefinition,
  controllerFor,
  deleted,
  done,
  enqueueMapped,
  objectMatches,
} from "@binnacle/controller-runtime";
import { nodes, pods } from "../../resource-types.ts";

/**
 * Removes pods that nobody will ever finish: those bound to a node that no longer exists.
 *
 * Differs from upstream: a node's deletion is acted on at once instead of after up to a minute and a half.
 * Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, gcOrphaned.
 */
export const podGarbageCollector: ControllerDefinition = controllerFor(
  pods,
  objectMatches((pod: Pod) => (pod.spec.nodeName ?? "") !== ""),
)
  .named("pod-garbage-collector")
  .watches(
    nodes,
    enqueueMapped((node: Node, { cache }) =>
      cache
        .list(pods)
        .filter((pod) => pod.spec.nodeName === node.metadata.name)
        .map(({ metadata }) => ({ namespace: metadata.namespace ?? "", name: metadata.name ?? "" })),
    ),
    deleted,
  )
  .reconcile(async (key, { cache, client }) => {
    const pod = cache.get(pods, key);
    const nodeName = pod?.spec.nodeName ?? "";
    if (pod === undefined || nodeName === "" || cache.get(nodes, { name: nodeName }) !== undefined)
      return done;
    // The cache of nodes may be behind the cache of pods: the server knows.
    if ((await client.live.find(nodes, { name: nodeName })) !== undefined) return done;
    const { uid } = pod.metadata;
    try {
      await client.delete(pods, pod, { gracePeriodSeconds: 0, ...(uid === undefined ? {} : { uid }) });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
    return done;
  });
