import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "core.v1": {
    TopologySelectorTerm: {
      ".": "atomic",
    },
  },
  "storage.v1": {
    StorageClass: {
      reclaimPolicy: "pointer",
      allowVolumeExpansion: "pointer",
      volumeBindingMode: "pointer",
    },
  },
};
