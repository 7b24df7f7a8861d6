import { describe, expect, it } from "vitest";
import { type DeletionPass, namespaceConditions } from "./conditions.ts";

const NOW = Date.UTC(2026, 0, 1);
const empty: DeletionPass = {
  discoveryFailures: [],
  deletionFailures: [],
  remaining: [],
  finalizers: new Map(),
};

describe("namespaceConditions", () => {
  it("are as recorded while a finalizer holds a config map", () => {
    const pass = {
      ...empty,
      remaining: [{ resource: { group: "", resource: "configmaps" }, count: 1 }],
      finalizers: new Map([["x.io/hold", 1]]),
    };
    expect(namespaceConditions([], pass, NOW)).toEqual(
      [
        [
          "NamespaceDeletionDiscoveryFailure",
          "False",
          "ResourcesDiscovered",
          "All resources successfully discovered",
        ],
        [
          "NamespaceDeletionGroupVersionParsingFailure",
          "False",
          "ParsedGroupVersions",
          "All legacy kube types successfully parsed",
        ],
        [
          "NamespaceDeletionContentFailure",
          "False",
          "ContentDeleted",
          "All content successfully deleted, may be waiting on finalization",
        ],
        [
          "NamespaceContentRemaining",
          "True",
          "SomeResourcesRemain",
          "Some resources are remaining: configmaps. has 1 resource instances",
        ],
        [
          "NamespaceFinalizersRemaining",
          "True",
          "SomeFinalizersRemain",
          "Some content in the namespace has finalizers remaining: x.io/hold in 1 resource instances",
        ],
      ].map(([type, status, reason, message]) => ({
        type,
        status,
        lastTransitionTime: "2026-01-01T00:00:00Z",
        reason,
        message,
      })),
    );
  });

  it("change only where something has changed", () => {
    const first = namespaceConditions([], empty, NOW);
    expect(namespaceConditions(first, empty, NOW + 5000)).toBe(first);
    const failed = namespaceConditions(first, { ...empty, deletionFailures: ["b", "a"] }, NOW + 5000);
    expect(failed[2]).toEqual({
      type: "NamespaceDeletionContentFailure",
      status: "True",
      reason: "ContentDeletionFailed",
      message: "Failed to delete all resource types, 2 remaining: a, b",
      lastTransitionTime: "2026-01-01T00:00:05Z",
    });
    expect(failed[0]).toBe(first[0]);
  });
});
