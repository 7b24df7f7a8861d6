import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "scheduling.v1": {
    PriorityClass: {
      value: "value",
      preemptionPolicy: "pointer",
    },
  },
};
