import {
  type FieldError,
  type ResourceDefinition,
  required,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import { columnsFor, createdAtColumn, nameColumn } from "../../column-builders.ts";
import type { ClusterRole } from "../../generated/rbac-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validatePolicyRule } from "../role/validation.ts";

/** What may be done anywhere. */
export const clusterRoles: ResourceDefinition<ClusterRole> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  resource: "clusterroles",
  singular: "clusterrole",
  listKind: "ClusterRoleList",
  namespaced: false,
  schema: builtinSchema("rbac.v1.ClusterRole"),
  strategy: { nameFormat: "path", allowCreateOnUpdate: true, validate: validateClusterRole },
  columns: columnsFor<ClusterRole>("clusterroles", [nameColumn, createdAtColumn]),
};

/** Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateClusterRole. */
function validateClusterRole({ rules, aggregationRule }: ClusterRole): FieldError[] {
  const errors = (rules ?? []).flatMap((rule, i) => validatePolicyRule(rule, false, `rules[${i}]`));
  if (aggregationRule === undefined) return errors;
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) {
    errors.push(required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
  }
  for (const [i, selector] of selectors.entries())
    errors.push(...validateLabelSelector(selector, `${path}[${i}]`));
  return errors;
}
