import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "certificates.v1": {
    CertificateSigningRequestCondition: {
      lastUpdateTime: "value",
      lastTransitionTime: "value",
    },
    CertificateSigningRequestSpec: {
      expirationSeconds: "pointer",
    },
    CertificateSigningRequestStatus: {
      conditions: "map(type)",
    },
  },
};
