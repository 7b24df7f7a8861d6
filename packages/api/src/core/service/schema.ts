import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "core.v1": {
    ClientIPConfig: {
      timeoutSeconds: "pointer",
    },
    LoadBalancerIngress: {
      ipMode: "pointer",
    },
    PortStatus: {
      error: "pointer",
    },
    ServicePort: {
      protocol: "default(TCP)",
      targetPort: "value",
      appProtocol: "pointer",
    },
    ServiceSpec: {
      ports: "map(port,protocol) merge(port)",
      selector: "atomic",
      ipFamilyPolicy: "pointer",
      allocateLoadBalancerNodePorts: "pointer",
      loadBalancerClass: "pointer",
      internalTrafficPolicy: "pointer",
      trafficDistribution: "pointer",
    },
    ServiceStatus: {
      conditions: "map(type) merge(type)",
      loadBalancer: "value",
    },
  },
};
