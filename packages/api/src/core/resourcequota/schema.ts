import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "core.v1": {
    ScopeSelector: {
      ".": "atomic",
    },
  },
};
