import type { Node, Pod } from "@binnacle/api";
import { isConflict, isNotFound, msToTime } from "@binnacle/apimachinery";
import { type Client, keyOf, strategicPatch } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerFor,
  deleted,
  done,
  enqueueMapped,
  isTerminating,
  observe,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { isPodFinished } from "../../pod-control/pod-state.ts";
import { nodes, pods } from "../../resource-types.ts";

/** A node that is missing may just be registering anew. Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go. */
const QUARANTINE_MS = 40_000;

/**
 * Removes pods that nobody will ever finish: those bound to a node that no longer exists, and those that are being
 * deleted without ever having had one.
 *
 * Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, gcOrphaned and gcUnscheduledTerminating.
 */
export const podGarbageCollector: ControllerDefinition = controllerFor(pods)
  .named("pod-garbage-collector")
  .watches(
    nodes,
    enqueueMapped((node: Node, { cache }) =>
      cache
        .list(pods)
        .filter((pod) => pod.spec.nodeName === node.metadata.name)
        .map(keyOf),
    ),
    deleted,
  )
  .setup(({ cache, client, clock }) => {
    /** Since when each node has been seen to be missing. */
    const missingSince = new Map<string, number>();
    return {
      observers: [
        observe(nodes, ({ updated }) => {
          if (updated !== undefined) missingSince.delete(updated.metadata.name ?? "");
        }),
      ],
      async reconcile(key): Promise<ReconcileResult> {
        const pod = cache.get(pods, key);
        if (pod === undefined) return done;
        const nodeName = pod.spec.nodeName ?? "";
        if (nodeName === "") {
          if (isTerminating(pod)) await remove(client, pod);
          return done;
        }
        if (cache.get(nodes, { name: nodeName }) !== undefined) return done;
        const since = missingSince.get(nodeName) ?? clock.now();
        missingSince.set(nodeName, since);
        const waitMs = since + QUARANTINE_MS - clock.now();
        if (waitMs > 0) return { requeueAfterMs: waitMs };
        // The cache of nodes may be behind: the server knows.
        if ((await client.live.find(nodes, { name: nodeName })) !== undefined) return done;
        await markDisrupted(client, pod, clock.now());
        await remove(client, pod);
        return done;
      },
    };
  });

/** The pod's owner shall know that it did not fail by itself. */
async function markDisrupted(client: Client, pod: Pod, nowMs: number): Promise<void> {
  if (isPodFinished(pod)) return;
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "DeletionByPodGC",
    message: "PodGC: node no longer exists",
    lastTransitionTime: msToTime(nowMs),
  };
  const { uid } = pod.metadata;
  try {
    await client.patchStatus(
      pods,
      pod,
      strategicPatch({ metadata: { uid }, status: { phase: "Failed", conditions: [condition] } }),
    );
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

async function remove(client: Client, pod: Pod): Promise<void> {
  try {
    await client.delete(pods, pod, { gracePeriodSeconds: 0 });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
