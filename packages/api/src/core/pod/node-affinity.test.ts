import { describe, expect, it } from "vitest";
import type { Node, NodeSelectorRequirement } from "../../generated/core-v1.generated.ts";
import { matchesNodeSelectorTerms, matchesRequiredNodeAffinity } from "./node-affinity.ts";
import { tolerates } from "./tolerations.ts";

const node: Node = { metadata: { name: "n", labels: { zone: "a", cores: "9007199254740993" } } };

function holds(requirement: NodeSelectorRequirement): boolean {
  return matchesNodeSelectorTerms([{ matchExpressions: [requirement] }], node);
}

describe("a node selector", () => {
  it.each<[NodeSelectorRequirement, boolean]>([
    [{ key: "zone", operator: "In", values: ["b", "a"] }, true],
    [{ key: "zone", operator: "In", values: ["b"] }, false],
    [{ key: "zone", operator: "NotIn", values: ["b"] }, true],
    [{ key: "zone", operator: "NotIn", values: ["a"] }, false],
    [{ key: "disk", operator: "NotIn", values: ["a"] }, true],
    [{ key: "zone", operator: "Exists" }, true],
    [{ key: "constructor", operator: "Exists" }, false],
    [{ key: "disk", operator: "DoesNotExist" }, true],
    [{ key: "cores", operator: "Gt", values: ["9007199254740992"] }, true],
    [{ key: "cores", operator: "Lt", values: ["9007199254740992"] }, false],
    [{ key: "zone", operator: "Gt", values: ["1"] }, false],
    [{ key: "cores", operator: "Gt", values: ["many"] }, false],
  ])("%o", (requirement, expected) => {
    expect(holds(requirement)).toBe(expected);
  });

  it("matches nothing when a term is empty, and the node's name only by metadata.name", () => {
    expect(matchesNodeSelectorTerms([{}], node)).toBe(false);
    const named = (key: string) => [{ matchFields: [{ key, operator: "In", values: ["n"] }] }];
    expect(matchesNodeSelectorTerms(named("metadata.name"), node)).toBe(true);
    expect(matchesNodeSelectorTerms(named("metadata.uid"), node)).toBe(false);
  });

  it("and the required affinity both have to match", () => {
    const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "Exists" }] }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    const spec = { containers: [], affinity };
    expect(matchesRequiredNodeAffinity({ ...spec, nodeSelector: { zone: "a" } }, node)).toBe(true);
    expect(matchesRequiredNodeAffinity({ ...spec, nodeSelector: { zone: "b" } }, node)).toBe(false);
    expect(matchesRequiredNodeAffinity(spec, { metadata: { name: "m" } })).toBe(false);
  });
});

describe("a toleration", () => {
  const taint = { key: "k", value: "v", effect: "NoSchedule" };
  it.each([
    [{ key: "k", value: "v" }, true],
    [{ key: "k", operator: "Equal", value: "w" }, false],
    [{ key: "k", operator: "Exists" }, true],
    [{ operator: "Exists" }, true],
    [{ operator: "Exists", effect: "NoExecute" }, false],
    [{ value: "v" }, false],
    [{ key: "k", operator: "Gt", value: "v" }, false],
  ])("%o", (toleration, expected) => {
    expect(tolerates(toleration, taint)).toBe(expected);
  });
});
