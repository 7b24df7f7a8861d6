import type { Lease, Node, Pod } from "@binnacle/api";
import { isConflict, isNotFound, msToTime, timeToMs } from "@binnacle/apimachinery";
import {
  type ControllerDefinition,
  controllerFor,
  done,
  enqueueMapped,
  type ReconcileContext,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { leases, nodes, pods } from "../../resource-types.ts";
import { evictAfterSeconds } from "./eviction.ts";
import { taintsOf } from "./taints.ts";

/** Source: kube-controller-manager --node-monitor-grace-period. */
const GRACE_MS = 50_000;
const LEASE_NAMESPACE = "kube-node-lease";
const BY_NODE = "nodeName";

/**
 * Watches over nodes: one that is not heard of becomes Unknown, conditions become taints, and pods that do not
 * tolerate a NoExecute taint are deleted when their time is up.
 *
 * Source: kubernetes v1.36 pkg/controller/nodelifecycle and pkg/controller/tainteviction.
 */
export const nodeLifecycleController: ControllerDefinition = controllerFor(nodes)
  .named("node-lifecycle")
  .watches(
    pods,
    enqueueMapped((pod: Pod) =>
      (pod.spec.nodeName ?? "") === "" ? [] : [{ name: pod.spec.nodeName ?? "" }],
    ),
    ({ old, updated }) => old === undefined || old.spec.nodeName !== updated?.spec.nodeName,
  )
  .reads(leases)
  .withOptions({ concurrency: 8, eventSource: "node-controller" })
  .setup((context) => {
    context.cache.addIndex(pods, BY_NODE, (pod: Pod) => [pod.spec.nodeName ?? ""]);
    return { reconcile: ({ name }) => reconcileNode(name, context) };
  });

async function reconcileNode(name: string, context: ReconcileContext): Promise<ReconcileResult> {
  const { cache, client, clock } = context;
  const node = cache.get(nodes, { name });
  if (node === undefined) return done;
  const silence = silenceOf(node, cache.get(leases, { namespace: LEASE_NAMESPACE, name }), clock.now());
  try {
    if (silence.isTooLong) {
      await markUnknown(node, context);
      return { requeueAfterMs: 0 }; // The update brings the taints along.
    }
    const taints = taintsOf(node, msToTime(clock.now()));
    if (taints !== undefined) {
      const { taints: _, ...spec } = node.spec ?? {};
      await client.update(nodes, {
        ...node,
        spec: taints.length === 0 ? spec : { ...spec, taints: [...taints] },
      });
      return done;
    }
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return done; // Changed meanwhile: its event brings us back.
    throw error;
  }
  const evictionMs = await evictPods(node, context);
  return { requeueAfterMs: Math.min(silence.checkAgainMs, evictionMs) };
}

/** How long a node has not been heard of: its lease, or its status while it has none. */
function silenceOf(
  node: Node,
  lease: Lease | undefined,
  nowMs: number,
): { isTooLong: boolean; checkAgainMs: number } {
  const ready = node.status?.conditions?.find(({ type }) => type === "Ready");
  const heard = [lease?.spec?.renewTime, ready?.lastHeartbeatTime, node.metadata.creationTimestamp]
    .filter((time) => time !== undefined && time !== null)
    .map((time) => timeToMs(time));
  const restMs = Math.max(...heard) + GRACE_MS - nowMs;
  const isUnknown = ready?.status === "Unknown";
  return {
    isTooLong: restMs <= 0 && !isUnknown,
    checkAgainMs: isUnknown ? GRACE_MS : Math.max(1_000, restMs),
  };
}

/** Source: node_lifecycle_controller.go, tryUpdateNodeHealth. */
async function markUnknown(node: Node, { client, clock, recorder }: ReconcileContext): Promise<void> {
  const now = msToTime(clock.now());
  const known = node.status?.conditions ?? [];
  const unknown = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => {
    const before = known.find((each) => each.type === type);
    return {
      ...before,
      type,
      status: "Unknown",
      reason: before === undefined ? "NodeStatusNeverUpdated" : "NodeStatusUnknown",
      message:
        before === undefined ? "Kubelet never posted node status." : "Kubelet stopped posting node status.",
      lastHeartbeatTime: before?.lastHeartbeatTime ?? node.metadata.creationTimestamp ?? now,
      lastTransitionTime: now,
    };
  });
  const others = known.filter(({ type }) => !unknown.some((each) => each.type === type));
  await client.updateStatus(nodes, {
    ...node,
    status: { ...node.status, conditions: [...unknown, ...others] },
  });
  const name = node.metadata.name ?? "";
  recorder.event(nodes, node, "Normal", "NodeNotReady", `Node ${name} status is now: NodeNotReady`);
}

/** Deletes the pods whose time is up; gives how long until the next one's is, at most an hour. */
async function evictPods(node: Node, { cache, client, clock, recorder }: ReconcileContext): Promise<number> {
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
  let nextMs = 3_600_000;
  if (taints.length === 0) return nextMs;
  const since = Math.max(
    ...taints.map(({ timeAdded }) => (timeAdded === undefined ? 0 : timeToMs(timeAdded))),
  );
  for (const pod of cache.list(pods, { index: [BY_NODE, node.metadata.name ?? ""] })) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    const seconds = evictAfterSeconds(pod, taints);
    if (seconds === undefined) continue;
    const restMs = since + seconds * 1_000 - clock.now();
    if (restMs > 0) {
      nextMs = Math.min(nextMs, restMs);
      continue;
    }
    const { namespace, name, uid } = pod.metadata;
    recorder.event(
      pods,
      pod,
      "Normal",
      "TaintManagerEviction",
      `Marking for deletion Pod ${namespace}/${name}`,
    );
    try {
      await client.delete(pods, pod, uid === undefined ? {} : { uid });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
  return nextMs;
}
