import { isAlreadyExists } from "@binnacle/apimachinery";
import type { Manager } from "@binnacle/controller-runtime";
import { simulatedNodeController } from "./node-status/node-controller.ts";
import { nodeObject, type SimulatedNode } from "./node-status/simulated-node.ts";
import { simulatedPodController } from "./pod-worker/pod-controller.ts";
import { nodes } from "./resource-types.ts";
import { createSimulatedRuntime } from "./runtime/simulated/simulated-runtime.ts";

/** What simulated nodes say they run. */
export interface SimulatedNodesOptions {
  readonly nodes: readonly SimulatedNode[];
  /** The kubelet version that nodes report, such as `v1.36.2`. */
  readonly version: string;
}

/** Adds the controllers that run simulated nodes to a manager. */
export function addSimulatedNodes(manager: Manager, options: { readonly version: string }): void {
  manager.add(simulatedNodeController(options.version));
  manager.add(simulatedPodController(({ clock }) => createSimulatedRuntime(clock)));
}

/** Registers nodes that do not exist yet. Those that exist keep what people made of them. */
export async function registerNodes(manager: Manager, options: SimulatedNodesOptions): Promise<void> {
  await Promise.all(
    options.nodes.map(async (node, index) => {
      try {
        await manager.client.create(nodes, nodeObject(node, index + 1));
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    }),
  );
}
