import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "core.v1": {
    AzureFilePersistentVolumeSource: {
      secretNamespace: "pointer",
    },
    GlusterfsPersistentVolumeSource: {
      endpointsNamespace: "pointer",
    },
    ISCSIPersistentVolumeSource: {
      initiatorName: "pointer",
    },
    LocalVolumeSource: {
      fsType: "pointer",
    },
    ObjectReference: {
      ".": "atomic",
    },
    PersistentVolumeSpec: {
      claimRef: "granular",
      volumeMode: "pointer",
      volumeAttributesClassName: "pointer",
    },
    ScaleIOPersistentVolumeSource: {
      secretRef: "null",
    },
    SecretReference: {
      ".": "atomic",
    },
  },
};
