import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "core.v1": {
    Event: {
      firstTimestamp: "value",
      lastTimestamp: "value",
      eventTime: "value",
      source: "value",
      reportingComponent: "value",
      reportingInstance: "value",
    },
    EventSeries: {
      lastObservedTime: "value",
    },
  },
  "events.v1": {
    Event: {
      regarding: "value",
      deprecatedSource: "value",
      deprecatedFirstTimestamp: "value",
      deprecatedLastTimestamp: "value",
    },
  },
};
