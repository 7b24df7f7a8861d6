import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "storage.v1": {
    VolumeAttachmentSource: {
      persistentVolumeName: "pointer",
    },
    VolumeError: {
      time: "value",
      errorCode: "pointer",
    },
  },
};
