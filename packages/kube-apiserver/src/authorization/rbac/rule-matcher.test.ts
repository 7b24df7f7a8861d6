import type { AuthorizationAttributes } from "@binnacle/apiserver";
import { describe, expect, it } from "vitest";
import { type PolicyRule, ruleAllows, uncoveredRules } from "./rule-matcher.ts";

const ask = (changes: Partial<AuthorizationAttributes>): AuthorizationAttributes => ({
  user: { name: "alice", groups: [] },
  verb: "get",
  isResourceRequest: true,
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "a",
  name: "p",
  path: "",
  ...changes,
});
const pods: PolicyRule = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };

describe("ruleAllows", () => {
  it.each<[string, PolicyRule, Partial<AuthorizationAttributes>, boolean]>([
    ["a listed verb and resource", pods, {}, true],
    ["no other verb", pods, { verb: "delete" }, false],
    ["no other group", pods, { group: "apps" }, false],
    ["no subresource of a listed resource", pods, { subresource: "log" }, false],
    ["a listed subresource", { ...pods, resources: ["pods/log"] }, { subresource: "log" }, true],
    ["any resource's scale by */scale", { ...pods, resources: ["*/scale"] }, { subresource: "scale" }, true],
    [
      "everything by stars",
      { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
      { subresource: "exec", verb: "create" },
      true,
    ],
    ["only listed names", { ...pods, resourceNames: ["q"] }, {}, false],
    [
      "a path by prefix",
      { verbs: ["get"], nonResourceURLs: ["/healthz/*"] },
      { isResourceRequest: false, path: "/healthz/ping" },
      true,
    ],
    ["no path by a resource rule", pods, { isResourceRequest: false, path: "/api" }, false],
  ])("allows %s", (_title, rule, changes, expected) => {
    expect(ruleAllows(rule, ask(changes))).toBe(expected);
  });
});

describe("uncoveredRules", () => {
  it("covers what is held and names the rest verb by verb", () => {
    const wanted: PolicyRule[] = [{ verbs: ["get", "delete"], apiGroups: [""], resources: ["pods"] }];
    expect(uncoveredRules([pods], wanted)).toEqual([
      { verbs: ["delete"], apiGroups: [""], resources: ["pods"] },
    ]);
  });

  it("does not take a rule for some names as one for all", () => {
    expect(uncoveredRules([{ ...pods, resourceNames: ["p"] }], [pods])).toHaveLength(2);
  });
});
