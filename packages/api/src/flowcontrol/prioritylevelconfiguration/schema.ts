import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "flowcontrol.v1": {
    ExemptPriorityLevelConfiguration: {
      nominalConcurrencyShares: "pointer",
      lendablePercent: "pointer",
    },
    LimitResponse: {
      ".": "union(type,queuing)",
    },
    LimitedPriorityLevelConfiguration: {
      nominalConcurrencyShares: "pointer",
      lendablePercent: "pointer",
      borrowingLimitPercent: "pointer",
      limitResponse: "value",
    },
    PriorityLevelConfigurationCondition: {
      lastTransitionTime: "value",
    },
    PriorityLevelConfigurationSpec: {
      ".": "union(type,exempt,limited)",
    },
    PriorityLevelConfigurationStatus: {
      conditions: "map(type) merge(type)",
    },
    QueuingConfiguration: {
      queues: "value",
      handSize: "value",
      queueLengthLimit: "value",
    },
  },
};
