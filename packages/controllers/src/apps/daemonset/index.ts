import type { Node } from "@binnacle/api";
import { labelSelectorFromObject } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { keyOf } from "@binnacle/client";
import {
  type ControllerDefinition,
  controllerFor,
  controllerOf,
  done,
  enqueueMapped,
  formatKey,
  observe,
} from "@binnacle/controller-runtime";
import { Expectations } from "../../pod-control/expectations.ts";
import { indexOrphans } from "../../pod-control/orphan-index.ts";
import { isPodTerminating } from "../../pod-control/pod-state.ts";
import { enqueueSelecting } from "../../pod-control/selecting-owners.ts";
import { controllerRevisions, daemonSets, nodes, pods } from "../../resource-types.ts";
import { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { reconcileDaemonSet } from "./reconcile.ts";

/** Keeps one pod of each DaemonSet on every node that fits. */
export const daemonSetController: ControllerDefinition = controllerFor(daemonSets)
  .owns(pods)
  .watches(
    pods,
    enqueueSelecting(daemonSets, ({ spec }) => labelSelectorFromObject(spec.selector)),
  )
  .watches<Node>(
    nodes,
    enqueueMapped((_node, { cache }) => cache.list(daemonSets).map(keyOf)),
    // Heartbeats do not matter.
    ({ old, updated }) =>
      old === undefined ||
      updated === undefined ||
      !jsonEquals(old.metadata.labels, updated.metadata.labels) ||
      !jsonEquals(old.spec, updated.spec),
  )
  .reads(controllerRevisions)
  .withOptions({ concurrency: 2, eventSource: "daemonset-controller" })
  .setup((context) => {
    indexOrphans(context.cache);
    const expectations = new Expectations(context.clock);
    const backoff = new FailedPodBackoff(context.clock);
    const uids = new Map<string, string>();
    return {
      observers: [
        observe(pods, ({ old, updated }) => {
          const pod = updated ?? old;
          const ownerUid = pod === undefined ? undefined : controllerOf(pod)?.uid;
          if (pod === undefined || ownerUid === undefined) return;
          if (updated === undefined || isPodTerminating(updated))
            expectations.sawDeletion(ownerUid, pod.metadata.uid ?? "");
          else if (old === undefined) expectations.sawCreation(ownerUid);
        }),
      ],
      async reconcile(key) {
        const set = context.cache.get(daemonSets, key);
        const textKey = formatKey(key);
        const known = uids.get(textKey);
        if (known !== undefined && known !== set?.metadata.uid) {
          expectations.forget(known);
          backoff.forget(`${known}/`);
          uids.delete(textKey);
        }
        if (set === undefined) return done; // The garbage collector removes its pods.
        uids.set(textKey, set.metadata.uid ?? "");
        return reconcileDaemonSet(set, { expectations, backoff }, context);
      },
    };
  });
