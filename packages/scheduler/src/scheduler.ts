import type { Node, Pod } from "@binnacle/api";
import { isConflict, isNotFound, msToTime } from "@binnacle/apimachinery";
import { type Activity, jsonEquals, nextTurn, type Stoppable } from "@binnacle/base";
import { strategicPatch } from "@binnacle/client";
import type { EventRecorder, Manager, Runnable } from "@binnacle/controller-runtime";
import { chooseNode } from "./framework/choose-node.ts";
import type { Plugin, PluginContext } from "./framework/framework.ts";
import { builtinPlugins } from "./plugins/builtins.ts";
import { SchedulingQueue } from "./queue/scheduling-queue.ts";
import { claims, nodes, pods, storageClasses, volumes } from "./resource-types.ts";
import { Snapshot } from "./snapshot/snapshot.ts";

export interface SchedulerOptions {
  /** Schedules the pods that name this scheduler. Default `default-scheduler`. */
  readonly name?: string;
  /** Default: the built-in ones. */
  readonly plugins?: readonly Plugin[];
  readonly activity?: Activity;
}

/** The scheduler, for a manager: gives every pod without a node the best one there is. */
export function scheduler(options: SchedulerOptions = {}): Runnable {
  return {
    name: options.name ?? "default-scheduler",
    start: async (manager) => {
      const running = new Scheduler(manager, options);
      await running.start();
      return running;
    },
  };
}

/** So many pods are placed before other work of the process gets a turn. */
const PODS_PER_TURN = 50;

class Scheduler implements Stoppable {
  readonly #manager: Manager;
  readonly #name: string;
  readonly #plugins: readonly Plugin[];
  readonly #snapshot = new Snapshot();
  readonly #queue: SchedulingQueue;
  readonly #context: PluginContext;
  readonly #recorder: EventRecorder;
  readonly #activity: Activity | undefined;
  readonly #removers: (() => void)[] = [];
  /** Pods that are being bound: counted on their node already, not yet known to be there. */
  readonly #assumed = new Map<string, string>();
  readonly #running = new Set<Promise<void>>();
  #isPlacing = false;
  #isStopped = false;

  constructor(manager: Manager, options: SchedulerOptions) {
    this.#manager = manager;
    this.#name = options.name ?? "default-scheduler";
    this.#plugins = options.plugins ?? builtinPlugins;
    this.#activity = options.activity;
    this.#recorder = manager.events.recorder(this.#name);
    this.#queue = new SchedulingQueue({
      clock: manager.clock,
      activity: options.activity,
      onWork: () => this.#place(),
    });
    const { cache } = manager;
    this.#context = {
      snapshot: this.#snapshot,
      findClaim: (namespace, name) => cache.get(claims, { namespace, name }),
      findVolume: (name) => cache.get(volumes, { name }),
      findStorageClass: (name) => cache.get(storageClasses, { name }),
    };
  }

  async start(): Promise<void> {
    const { cache } = this.#manager;
    const wake = (): void => this.#queue.wakeAll();
    this.#removers.push(
      cache.informer(claims).addHandler(wake),
      cache.informer(volumes).addHandler(wake),
      cache.informer(storageClasses).addHandler(wake),
    );
    await cache.waitForSync([nodes, pods, claims, volumes, storageClasses]);
    this.#queue.start();
    this.#removers.push(
      cache.informer(nodes).addHandler(({ old, updated }) => this.#onNode(old, updated)),
      cache.informer(pods).addHandler(({ old, updated }) => this.#onPod(old, updated)),
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const remove of this.#removers.splice(0)) remove();
    this.#queue.stop();
    await Promise.all(this.#running);
  }

  #onNode(old: Node | undefined, updated: Node | undefined): void {
    if (updated === undefined) {
      this.#snapshot.removeNode(old?.metadata.name ?? "");
      return;
    }
    this.#snapshot.setNode(updated);
    if (old === undefined || mayHelp(old, updated)) this.#queue.wakeAll();
  }

  #onPod(old: Pod | undefined, updated: Pod | undefined): void {
    const pod = updated ?? old;
    if (pod === undefined) return;
    const uid = pod.metadata.uid ?? "";
    if (old !== undefined && old.metadata.uid !== uid) this.#forget(old);
    if (updated === undefined || isOver(updated)) {
      this.#forget(pod);
      return;
    }
    if ((updated.spec.nodeName ?? "") !== "") {
      this.#assumed.delete(uid);
      this.#queue.remove(updated);
      this.#snapshot.setPod(updated);
      return;
    }
    if (updated.spec.schedulerName !== this.#name || updated.metadata.deletionTimestamp !== undefined) return;
    if ((updated.spec.schedulingGates ?? []).length > 0 || this.#assumed.has(uid)) return;
    // What the scheduler itself wrote into the status is no reason to try again.
    if (old !== undefined && this.#queue.has(updated) && jsonEquals(old.spec, updated.spec))
      this.#queue.refresh(updated);
    else this.#queue.add(updated);
  }

  #forget(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    this.#queue.remove(pod);
    this.#assumed.delete(uid);
    if (this.#snapshot.removePod(uid)) this.#queue.wakeAll();
  }

  /** Places what is waiting, in turns, one pod after the other. */
  #place(): void {
    if (this.#isPlacing || this.#isStopped) return;
    this.#isPlacing = true;
    this.#track(this.#placeAll());
  }

  async #placeAll(): Promise<void> {
    await Promise.resolve(); // Pods of one batch are all queued before the first is taken.
    let placed = 0;
    for (let pod = this.#queue.take(); pod !== undefined; pod = this.#queue.take()) {
      this.#placeOne(pod);
      if (++placed % PODS_PER_TURN === 0) await nextTurn();
    }
    this.#isPlacing = false;
  }

  #placeOne(pod: Pod): void {
    const choice = chooseNode(pod, this.#plugins, this.#context, this.#manager.random);
    if (choice.kind === "none") {
      this.#queue.park(pod);
      this.#track(this.#reportFailure(pod, choice.message).finally(() => this.#queue.finished()));
      return;
    }
    const nodeName = choice.node.name;
    this.#assumed.set(pod.metadata.uid ?? "", nodeName);
    this.#snapshot.setPod({ ...pod, spec: { ...pod.spec, nodeName } });
    this.#track(this.#bind(pod, nodeName).finally(() => this.#queue.finished()));
  }

  async #bind(pod: Pod, nodeName: string): Promise<void> {
    const { namespace = "", name = "", uid = "" } = pod.metadata;
    try {
      await this.#manager.client.bind(pods, pod, nodeName);
      this.#recorder.event(
        pods,
        pod,
        "Normal",
        "Scheduled",
        `Successfully assigned ${namespace}/${name} to ${nodeName}`,
      );
    } catch (error) {
      if (this.#assumed.delete(uid)) this.#snapshot.removePod(uid);
      if (this.#isStopped || isNotFound(error) || isConflict(error)) return; // Gone, or somebody else placed it.
      this.#manager.logger.warn("a pod cannot be bound", { pod: `${namespace}/${name}`, error });
      this.#queue.park(pod);
      this.#queue.wakeAll();
    }
  }

  /** Tells people why a pod waits: an event, and the condition PodScheduled. */
  async #reportFailure(pod: Pod, message: string): Promise<void> {
    this.#recorder.event(pods, pod, "Warning", "FailedScheduling", message);
    const before = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    if (before?.status === "False" && before.message === message) return;
    const generation = pod.metadata.generation;
    const condition = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      lastTransitionTime:
        before?.status === "False" ? before.lastTransitionTime : msToTime(this.#manager.clock.now()),
    };
    try {
      await this.#manager.client.patchStatus(
        pods,
        pod,
        strategicPatch({ status: { conditions: [condition] } }),
      );
    } catch (error) {
      if (isNotFound(error) || this.#isStopped) return;
      this.#manager.logger.warn("the condition of a pod cannot be written", {
        pod: pod.metadata.name,
        error,
      });
    }
  }

  #track(work: Promise<void>): void {
    this.#activity?.begin();
    const tracked = work.finally(() => {
      this.#running.delete(tracked);
      this.#activity?.end();
    });
    this.#running.add(tracked);
  }
}

function isOver({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Whether a change of a node can make room for a pod that found none. */
function mayHelp(old: Node, updated: Node): boolean {
  return (
    !jsonEquals(old.spec, updated.spec) ||
    !jsonEquals(old.metadata.labels, updated.metadata.labels) ||
    !jsonEquals(old.status?.allocatable, updated.status?.allocatable)
  );
}
