import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "storage.v1": {
    CSINodeDriver: {
      topologyKeys: "value",
    },
    CSINodeSpec: {
      drivers: "map(name) merge(name)",
    },
    VolumeNodeResources: {
      count: "pointer",
    },
  },
};
