import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "authentication.v1": {
    TokenRequestSpec: {
      audiences: "value",
      boundObjectRef: "null",
      expirationSeconds: "pointer",
    },
    TokenRequestStatus: {
      token: "value",
      expirationTimestamp: "value",
    },
  },
};
