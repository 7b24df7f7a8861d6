import type { Plugin } from "../framework/framework.ts";
import { interPodAffinity } from "./inter-pod-affinity/plugin.ts";
import { nodeAffinity } from "./node-affinity/plugin.ts";
import { nodeName } from "./node-name/plugin.ts";
import { nodePorts } from "./node-ports/plugin.ts";
import { balancedAllocation, nodeResourcesFit } from "./node-resources-fit/plugin.ts";
import { nodeUnschedulable } from "./node-unschedulable/plugin.ts";
import { podTopologySpread } from "./pod-topology-spread/plugin.ts";
import { taintToleration } from "./taint-toleration/plugin.ts";
import { volumeBinding } from "./volume-binding/plugin.ts";

/** The plugins in the order in which they filter. Source: kubernetes v1.36 pkg/scheduler/apis/config/v1/default_plugins.go. */
export const builtinPlugins: readonly Plugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeBinding,
  podTopologySpread,
  interPodAffinity,
  balancedAllocation,
];
