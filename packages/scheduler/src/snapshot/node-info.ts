import type { Node, Pod, PodAffinityTerm } from "@binnacle/api";
import { amountOf, nonZeroRequests, podRequests, type Resources } from "./pod-resources.ts";

/** A host port that a pod takes. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** A node, what runs on it and what is left. Kept up to date pod by pod. */
export class NodeInfo {
  #node: Node;
  #allocatable: Resources;
  readonly pods = new Map<string, Pod>();
  /** Those among them that keep others away: few, so that nobody has to look at all pods for them. */
  readonly podsWithAntiAffinity = new Map<string, Pod>();
  readonly requested: Resources = new Map();
  /** CPU and memory with the floor that pods without requests count as. */
  nonZeroCpuMillis = 0;
  nonZeroMemoryBytes = 0;
  readonly #ports: { uid: string; port: HostPort }[] = [];

  constructor(node: Node) {
    this.#node = node;
    this.#allocatable = allocatableOf(node);
  }

  get node(): Node {
    return this.#node;
  }

  get name(): string {
    return this.#node.metadata.name ?? "";
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#node.metadata.labels ?? {};
  }

  get allocatable(): Resources {
    return this.#allocatable;
  }

  get ports(): readonly HostPort[] {
    return this.#ports.map(({ port }) => port);
  }

  setNode(node: Node): void {
    this.#node = node;
    this.#allocatable = allocatableOf(node);
  }

  /** Counts a pod in; a pod that is there already is counted anew. */
  addPod(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    this.removePod(uid);
    this.pods.set(uid, pod);
    if (requiredAntiAffinity(pod).length > 0) this.podsWithAntiAffinity.set(uid, pod);
    this.#count(pod, 1);
    for (const port of hostPortsOf(pod)) this.#ports.push({ uid, port });
  }

  removePod(uid: string): void {
    const pod = this.pods.get(uid);
    if (pod === undefined) return;
    this.pods.delete(uid);
    this.podsWithAntiAffinity.delete(uid);
    this.#count(pod, -1);
    for (let i = this.#ports.length - 1; i >= 0; i--)
      if (this.#ports[i]!.uid === uid) this.#ports.splice(i, 1);
  }

  #count(pod: Pod, sign: 1 | -1): void {
    for (const [name, amount] of podRequests(pod)) {
      this.requested.set(name, (this.requested.get(name) ?? 0) + sign * amount);
    }
    const { cpuMillis, memoryBytes } = nonZeroRequests(pod);
    this.nonZeroCpuMillis += sign * cpuMillis;
    this.nonZeroMemoryBytes += sign * memoryBytes;
  }
}

/** The terms by which a pod keeps others out of its domain. */
export function requiredAntiAffinity(pod: Pod): readonly PodAffinityTerm[] {
  return pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** The host ports a pod takes. Pods in the host's network take all their container ports. */
export function hostPortsOf(pod: Pod): HostPort[] {
  const ports: HostPort[] = [];
  for (const container of [
    ...pod.spec.containers,
    ...(pod.spec.initContainers ?? []).filter((each) => each.restartPolicy === "Always"),
  ]) {
    for (const port of container.ports ?? []) {
      if ((port.hostPort ?? 0) === 0) continue;
      ports.push({
        ip: port.hostIP ?? "0.0.0.0",
        protocol: port.protocol ?? "TCP",
        port: port.hostPort ?? 0,
      });
    }
  }
  return ports;
}

function allocatableOf(node: Node): Resources {
  const resources: Resources = new Map();
  for (const [name, quantity] of Object.entries(node.status?.allocatable ?? {})) {
    resources.set(name, amountOf(name, quantity));
  }
  return resources;
}
