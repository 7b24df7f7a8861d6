import type { SchemaMarks } from "../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "meta.v1": {
    APIGroup: {
      preferredVersion: "value",
    },
    APIResource: {
      verbs: "unstated",
    },
    DeleteOptions: {
      gracePeriodSeconds: "pointer",
      orphanDependents: "pointer",
      propagationPolicy: "pointer",
      ignoreStoreReadErrorWithClusterBreakingPotential: "pointer",
    },
    LabelSelector: {
      ".": "atomic",
    },
    ListMeta: {
      remainingItemCount: "pointer",
    },
    ObjectMeta: {
      finalizers: "set merge",
      ownerReferences: "map(uid) merge(uid)",
      creationTimestamp: "omitempty",
      deletionGracePeriodSeconds: "pointer",
    },
    OwnerReference: {
      ".": "atomic",
      controller: "pointer",
      blockOwnerDeletion: "pointer",
    },
    Preconditions: {
      uid: "pointer",
      resourceVersion: "pointer",
    },
    Status: {
      metadata: "value",
    },
  },
};
