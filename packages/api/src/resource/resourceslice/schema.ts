import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "resource.v1": {
    Device: {
      nodeName: "pointer",
      allNodes: "pointer",
      bindsToNode: "pointer",
      allowMultipleAllocations: "pointer",
    },
    DeviceAttribute: {
      int: "pointer",
      bool: "pointer",
      string: "pointer",
      version: "pointer",
    },
    NodeAllocatableResourceMapping: {
      capacityKey: "pointer",
    },
    ResourceSliceSpec: {
      nodeName: "pointer",
      allNodes: "pointer",
      perDeviceNodeSelection: "pointer",
    },
  },
};
