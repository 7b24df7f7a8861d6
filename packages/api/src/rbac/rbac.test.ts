import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { PolicyRule, RoleBinding } from "../generated/rbac-v1.generated.ts";
import { clusterRoles } from "./clusterrole/index.ts";
import { clusterRoleBindings } from "./clusterrolebinding/index.ts";
import { roles } from "./role/index.ts";
import { roleBindings } from "./rolebinding/index.ts";

const metadata = { name: "a", namespace: "n" };

describe("a role", () => {
  it.each<[Partial<PolicyRule>, string]>([
    [
      { apiGroups: [""], resources: ["pods"] },
      "rules[0].verbs: Required value: verbs must contain at least one value",
    ],
    [
      { verbs: ["get"], resources: ["pods"] },
      "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
    ],
    [
      { verbs: ["get"], nonResourceURLs: ["/x"] },
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
    ],
  ])("with %j is judged", (rule, expected) => {
    const errors = roles.strategy.validate!({ metadata, rules: [{ verbs: [], ...rule }] });
    expect(formatFieldErrors(errors)).toBe(expected);
  });

  it("of the cluster may aggregate others", () => {
    const errors = clusterRoles.strategy.validate!({
      metadata,
      aggregationRule: { clusterRoleSelectors: [] },
    });
    expect(formatFieldErrors(errors)).toBe(
      "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil",
    );
  });
});

describe("a role binding", () => {
  const roleRef = { apiGroup: "", kind: "Role", name: "r" };

  function binding(change: Partial<RoleBinding>): RoleBinding {
    const object: RoleBinding = { metadata, roleRef: { ...roleRef }, ...structuredClone(change) };
    roleBindings.defaults?.(object);
    return object;
  }

  it.each<[Partial<RoleBinding>, string]>([
    [
      {
        subjects: [
          { kind: "ServiceAccount", name: "x" },
          { kind: "User", name: "u" },
        ],
      },
      "",
    ],
    [
      { roleRef: { apiGroup: "", kind: "Foo", name: "" } },
      '[roleRef.kind: Unsupported value: "Foo": supported values: "Role", "ClusterRole", roleRef.name: Required value]',
    ],
    [{ subjects: [{ kind: "User", name: "" }] }, "subjects[0].name: Required value"],
    [
      { subjects: [{ kind: "Robot", name: "x" }] },
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
    [
      { subjects: [{ kind: "User", apiGroup: "x", name: "y" }] },
      'subjects[0].apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
    ],
  ])("with %j is judged", (change, expected) => {
    const errors = roleBindings.strategy.validate!(binding(change));
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });

  it("keeps its role", () => {
    const updated = binding({ roleRef: { ...roleRef, name: "other" } });
    expect(formatFieldErrors(roleBindings.strategy.validateUpdate!(updated, binding({})))).toBe(
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: cannot change roleRef',
    );
  });

  it("of the cluster takes cluster roles only", () => {
    expect(formatFieldErrors(clusterRoleBindings.strategy.validate!(binding({})))).toBe(
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    );
  });

  it("is printed", () => {
    const object = binding({
      subjects: [
        { kind: "User", name: "u" },
        { kind: "ServiceAccount", name: "s", namespace: "n" },
      ],
    });
    expect(roleBindings.columns?.map((column) => column.cell(object, { nowMs: 0 }))).toEqual([
      "a",
      "Role/r",
      "<unknown>",
      "u",
      "",
      "n/s",
    ]);
  });
});
