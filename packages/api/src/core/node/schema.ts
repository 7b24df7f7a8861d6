import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "core.v1": {
    ContainerImage: {
      names: "value",
    },
    NodeCondition: {
      lastHeartbeatTime: "value",
      lastTransitionTime: "value",
    },
    NodeDaemonEndpoints: {
      kubeletEndpoint: "value",
    },
    NodeFeatures: {
      supplementalGroupsPolicy: "pointer",
    },
    NodeRuntimeHandler: {
      name: "value",
    },
    NodeRuntimeHandlerFeatures: {
      recursiveReadOnlyMounts: "pointer",
      userNamespaces: "pointer",
    },
    NodeSpec: {
      podCIDRs: "set merge",
    },
    NodeStatus: {
      addresses: "map(type) merge(type)",
      conditions: "map(type) merge(type)",
      daemonEndpoints: "value",
      nodeInfo: "value",
    },
    NodeSwapStatus: {
      capacity: "pointer",
    },
  },
};
