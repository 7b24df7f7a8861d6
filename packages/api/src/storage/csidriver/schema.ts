import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "storage.v1": {
    CSIDriverSpec: {
      volumeLifecycleModes: "set",
      attachRequired: "pointer",
      podInfoOnMount: "pointer",
      storageCapacity: "pointer",
      fsGroupPolicy: "pointer",
      requiresRepublish: "pointer",
      seLinuxMount: "pointer",
      nodeAllocatableUpdatePeriodSeconds: "pointer",
      serviceAccountTokenInSecrets: "pointer",
      preventPodSchedulingIfMissing: "pointer",
    },
    TokenRequest: {
      expirationSeconds: "pointer",
    },
  },
};
