import type { ClusterRole } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { aggregatedRules } from "./index.ts";

const role = (name: string, agg: string, ...verbs: string[]): ClusterRole => ({
  metadata: { name, labels: { agg } },
  rules: verbs.map((verb) => ({ verbs: [verb], resources: ["x"] })),
});

describe("aggregatedRules", () => {
  it("are those of the selected roles in the order of their names, each once", () => {
    const collector: ClusterRole = {
      metadata: { name: "all", labels: { agg: "a" } },
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { agg: "a" } }, { matchLabels: { agg: "b" } }],
      },
      rules: [{ verbs: ["junk"] }],
    };
    const all = [
      role("z", "a", "get", "list"),
      role("b", "a", "watch"),
      role("c", "b", "get", "update"),
      role("d", "c", "delete"),
      collector,
    ];
    expect(aggregatedRules(collector, all).map((rule) => rule.verbs[0])).toEqual([
      "watch",
      "get",
      "list",
      "update",
    ]);
  });
});
