import { type Plugin, unschedulable } from "../../framework/framework.ts";
import { type HostPort, hostPortsOf } from "../../snapshot/node-info.ts";

/** A host port is given out once per address. Source: kubernetes v1.36 pkg/scheduler/framework/plugins/nodeports. */
export const nodePorts: Plugin = {
  name: "NodePorts",
  preFilter: (pod) => ({ state: hostPortsOf(pod) }),
  filter(_pod, node, state) {
    const wanted = state as readonly HostPort[]; // The state that preFilter gave.
    if (wanted.length === 0 || !wanted.some((port) => node.ports.some((taken) => conflicts(port, taken))))
      return undefined;
    return unschedulable("node(s) didn't have free ports for the requested pod ports");
  },
};

function conflicts(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.ip === b.ip || a.ip === "0.0.0.0" || b.ip === "0.0.0.0";
}
