import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "apiregistration.v1": {
    APIServiceCondition: {
      lastTransitionTime: "value",
    },
    APIServiceSpec: {
      caBundle: "atomic",
    },
    APIServiceStatus: {
      conditions: "map(type) merge(type)",
    },
    ServiceReference: {
      port: "pointer",
    },
  },
};
