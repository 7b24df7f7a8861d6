import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "discovery.v1": {
    Endpoint: {
      addresses: "set",
      conditions: "value",
      hostname: "pointer",
      nodeName: "pointer",
      zone: "pointer",
    },
    EndpointConditions: {
      ready: "pointer",
      serving: "pointer",
      terminating: "pointer",
    },
    EndpointPort: {
      ".": "atomic",
      name: "pointer",
      protocol: "pointer",
      port: "pointer",
      appProtocol: "pointer",
    },
    EndpointSlice: {
      endpoints: "value",
      ports: "value",
    },
  },
};
