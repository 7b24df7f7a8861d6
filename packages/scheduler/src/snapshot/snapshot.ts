import type { Node, Pod } from "@binnacle/api";
import { NodeInfo } from "./node-info.ts";

/**
 * The scheduler's picture of the cluster: nodes with their pods, those it has just bound included. Pods on nodes that
 * are not known (yet) are kept aside until the node arrives.
 */
export class Snapshot {
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #nodeOfPod = new Map<string, string>();
  readonly #homeless = new Map<string, Map<string, Pod>>();

  get size(): number {
    return this.#nodes.size;
  }

  nodes(): IterableIterator<NodeInfo> {
    return this.#nodes.values();
  }

  node(name: string): NodeInfo | undefined {
    return this.#nodes.get(name);
  }

  setNode(node: Node): void {
    const name = node.metadata.name ?? "";
    const known = this.#nodes.get(name);
    if (known !== undefined) {
      known.setNode(node);
      return;
    }
    const info = new NodeInfo(node);
    this.#nodes.set(name, info);
    for (const pod of this.#homeless.get(name)?.values() ?? []) info.addPod(pod);
    this.#homeless.delete(name);
  }

  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (info === undefined) return;
    this.#nodes.delete(name);
    if (info.pods.size > 0) this.#homeless.set(name, new Map(info.pods));
  }

  /** Counts a pod in on the node it names. */
  setPod(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    const nodeName = pod.spec.nodeName ?? "";
    const before = this.#nodeOfPod.get(uid);
    if (before !== undefined && before !== nodeName) this.removePod(uid);
    if (nodeName === "") return;
    this.#nodeOfPod.set(uid, nodeName);
    const info = this.#nodes.get(nodeName);
    if (info !== undefined) {
      info.addPod(pod);
      return;
    }
    const waiting = this.#homeless.get(nodeName) ?? new Map<string, Pod>();
    this.#homeless.set(nodeName, waiting.set(uid, pod));
  }

  /** Whether a pod was counted in. */
  removePod(uid: string): boolean {
    const nodeName = this.#nodeOfPod.get(uid);
    if (nodeName === undefined) return false;
    this.#nodeOfPod.delete(uid);
    this.#nodes.get(nodeName)?.removePod(uid);
    this.#homeless.get(nodeName)?.delete(uid);
    return true;
  }
}
