import type { Node, Pod, PodStatus } from "@binnacle/api";
import { isConflict, isNotFound } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import {
  type ControllerDefinition,
  controllerNamed,
  done,
  enqueueObject,
  objectMatches,
  observe,
  type ReconcileContext,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { PodAddresses } from "../network/node-network.ts";
import { isSimulated, nodeAddress, podCidr } from "../node-status/simulated-node.ts";
import { nodes, pods } from "../resource-types.ts";
import type { PodReport, Runtime } from "../runtime/runtime.ts";

/** How many pods are worked on at a time, over all nodes. */
const CONCURRENCY = 32;

/** Makes pods that are bound to simulated nodes go through their life. */
export function simulatedPodController(
  createRuntime: (context: ReconcileContext) => Runtime,
): ControllerDefinition {
  return controllerNamed("kubelet")
    .watches(
      pods,
      enqueueObject<Pod>(),
      objectMatches((pod: Pod) => (pod.spec.nodeName ?? "") !== ""),
    )
    .reads(nodes)
    .withOptions({ concurrency: CONCURRENCY, eventSource: "kubelet" })
    .setup((context) => {
      const worker = new PodWorker(createRuntime(context), context);
      return {
        reconcile: (key) => worker.reconcile(key),
        observers: [
          observe(pods, ({ old, updated }) => {
            if (old !== undefined && updated?.metadata.uid !== old.metadata.uid) worker.forget(old);
          }),
        ],
        start: () => {
          worker.restore();
          return () => {};
        },
      };
    });
}

class PodWorker {
  readonly #runtime: Runtime;
  readonly #context: ReconcileContext;
  readonly #addresses = new Map<string, PodAddresses>();

  constructor(runtime: Runtime, context: ReconcileContext) {
    this.#runtime = runtime;
    this.#context = context;
  }

  /** Takes over the addresses that pods have had since before this program started. */
  restore(): void {
    for (const pod of this.#context.cache.list(pods)) {
      const node = this.#nodeOf(pod);
      const { podIP = "" } = pod.status ?? {};
      if (node !== undefined && podIP !== "") this.#addressesOf(node).restore(pod.metadata.uid ?? "", podIP);
    }
  }

  /** Hears of every pod that is gone, so that its address is free again. */
  forget(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    this.#runtime.forget(uid);
    this.#addresses.get(pod.spec.nodeName ?? "")?.release(uid);
  }

  async reconcile(key: { namespace?: string; name: string }): Promise<ReconcileResult> {
    const pod = this.#context.cache.get(pods, key);
    if (pod === undefined) return done;
    const node = this.#nodeOf(pod);
    if (node === undefined || !isSimulated(node)) return done; // Somebody else's pod, or the node is gone.
    if (pod.metadata.deletionTimestamp !== undefined) return this.#terminate(pod);
    if (isOver(pod.status)) return done;
    const cidr = node.spec?.podCIDR ?? podCidr(1);
    const hostIp = nodeAddress(cidr);
    const podIp = pod.spec.hostNetwork === true ? hostIp : this.#addressesOf(node).of(pod.metadata.uid ?? "");
    if (podIp === undefined) throw new Error(`no address is free on node ${node.metadata.name}`);
    const report = await this.#runtime.sync(pod, { nodeName: node.metadata.name ?? "", hostIp, podIp });
    return this.#publish(pod, report);
  }

  async #publish(pod: Pod, report: PodReport): Promise<ReconcileResult> {
    const { client, recorder } = this.#context;
    if (report.status !== undefined && !jsonEquals(report.status, pod.status)) {
      try {
        await client.updateStatus(pods, { ...pod, status: report.status });
      } catch (error) {
        if (isNotFound(error)) return done;
        if (!isConflict(error)) throw error;
        return { requeueAfterMs: 0 }; // Changed meanwhile: the cache will show it in a moment.
      }
    }
    for (const event of report.events) {
      const options = event.fieldPath === undefined ? {} : { fieldPath: event.fieldPath };
      recorder.event(pods, pod, event.type, event.reason, event.message, options);
    }
    return report.lookAgainAfterMs === undefined ? done : { requeueAfterMs: report.lookAgainAfterMs };
  }

  /** Stops the containers, then removes the object: what the API server waits for. */
  async #terminate(pod: Pod): Promise<ReconcileResult> {
    const graceSeconds = pod.metadata.deletionGracePeriodSeconds ?? 0;
    const { isStopped, lookAgainAfterMs } = await this.#runtime.stop(pod, graceSeconds);
    if (!isStopped) return { requeueAfterMs: lookAgainAfterMs ?? 0 };
    const { client, recorder } = this.#context;
    for (const { name } of pod.spec.containers) {
      const fieldPath = `spec.containers{${name}}`;
      if (!isOver(pod.status))
        recorder.event(pods, pod, "Normal", "Killing", `Stopping container ${name}`, { fieldPath });
    }
    try {
      const { uid } = pod.metadata;
      await client.delete(pods, pod, { gracePeriodSeconds: 0, ...(uid === undefined ? {} : { uid }) });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error; // Gone already, or another pod of the same name.
    }
    return done;
  }

  #nodeOf(pod: Pod): Node | undefined {
    return this.#context.cache.get(nodes, { name: pod.spec.nodeName ?? "" });
  }

  #addressesOf(node: Node): PodAddresses {
    const name = node.metadata.name ?? "";
    let addresses = this.#addresses.get(name);
    if (addresses === undefined) {
      addresses = new PodAddresses(node.spec?.podCIDR ?? podCidr(1));
      this.#addresses.set(name, addresses);
    }
    return addresses;
  }
}

function isOver(status: PodStatus | undefined): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}
