import type { Lease, Node } from "@binnacle/api";
import { isAlreadyExists, isConflict, isNotFound, msToMicroTime } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import {
  type ControllerDefinition,
  controllerFor,
  done,
  objectMatches,
  type ReconcileContext,
} from "@binnacle/controller-runtime";
import { leases, nodes, pods } from "../resource-types.ts";
import { isSimulated, nodeStatus } from "./simulated-node.ts";

/** Source: kubelet --node-lease-duration-seconds 40, renewed at a quarter. */
const LEASE_SECONDS = 40;
const RENEW_MS = 10_000;
/** Source: kubelet --node-status-report-frequency. */
const STATUS_PERIOD_MS = 5 * 60_000;
const LEASE_NAMESPACE = "kube-node-lease";

/** Keeps simulated nodes alive: renews their leases and reports their status. `version` is the kubelet's. */
export function simulatedNodeController(version: string): ControllerDefinition {
  return controllerFor(
    nodes,
    objectMatches((node: Node) => isSimulated(node)),
  )
    .named("simulated-node")
    .reads(pods)
    .withOptions({ concurrency: 16, eventSource: "kubelet" })
    .setup(() => {
      const reportedAt = new Map<string, number>();
      return {
        reconcile: async ({ name }, context) => {
          const node = context.cache.get(nodes, { name });
          if (node === undefined) {
            reportedAt.delete(name);
            await removePodsOf(name, context);
            return done; // Deleted: a kubelet does not come back by itself.
          }
          await renewLease(node, context);
          await reportStatus(node, context, reportedAt, version);
          return { requeueAfterMs: RENEW_MS };
        },
      };
    });
}

/**
 * A simulated machine goes with its Node object, and its pods with it, so that controllers replace them at once.
 *
 * Differs from upstream, where the machine may go on without its Node and the pod garbage collector waits for it.
 */
async function removePodsOf(name: string, { cache, client }: ReconcileContext): Promise<void> {
  for (const pod of cache.list(pods).filter(({ spec }) => spec.nodeName === name)) {
    try {
      await client.delete(pods, pod, { gracePeriodSeconds: 0 });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error; // Gone, or another pod of that name by now.
    }
  }
}

async function reportStatus(
  node: Node,
  { client, clock, recorder }: ReconcileContext,
  reportedAt: Map<string, number>,
  version: string,
): Promise<void> {
  const name = node.metadata.name ?? "";
  const nowMs = clock.now();
  const status = nodeStatus(node, nowMs, version);
  const isDue = nowMs - (reportedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= STATUS_PERIOD_MS;
  if (!isDue && jsonEquals(withoutHeartbeats(status), withoutHeartbeats(node.status))) return;
  const isFirst =
    node.status?.nodeInfo?.kubeletVersion === undefined || node.status.nodeInfo.kubeletVersion === "";
  try {
    await client.updateStatus(nodes, { ...node, status });
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return; // The next event brings us back.
    throw error;
  }
  reportedAt.set(name, nowMs);
  if (isFirst) recorder.event(nodes, node, "Normal", "NodeReady", `Node ${name} status is now: NodeReady`);
}

function withoutHeartbeats(status: Node["status"]): unknown {
  const conditions = (status?.conditions ?? []).map(({ lastHeartbeatTime: _, ...rest }) => rest);
  return { ...status, conditions };
}

async function renewLease(node: Node, { client, clock }: ReconcileContext): Promise<void> {
  const name = node.metadata.name ?? "";
  const renewTime = msToMicroTime(clock.now());
  const key = { namespace: LEASE_NAMESPACE, name };
  const held = await client.live.find(leases, key);
  const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime };
  try {
    if (held === undefined) {
      const ownerReferences = [{ apiVersion: "v1", kind: "Node", name, uid: node.metadata.uid ?? "" }];
      await client.create(leases, { metadata: { ...key, ownerReferences }, spec } as Lease);
    } else {
      await client.update(leases, { ...held, spec: { ...held.spec, ...spec } });
    }
  } catch (error) {
    // A missing namespace at the first start, or somebody else's hand: the next renewal is soon.
    if (!isAlreadyExists(error) && !isConflict(error) && !isNotFound(error)) throw error;
  }
}
