export { SIMULATED_ANNOTATION, type SimulatedNode } from "./node-status/simulated-node.ts";
export type { PodEvent, PodPlace, PodReport, Runtime } from "./runtime/runtime.ts";
export { ANNOTATION_PREFIX } from "./runtime/simulated/behaviour.ts";
export { addSimulatedNodes, registerNodes, type SimulatedNodesOptions } from "./simulated-nodes.ts";
