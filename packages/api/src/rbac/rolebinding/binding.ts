import {
  applyRule,
  type Column,
  dnsSubdomain,
  type FieldError,
  goForm,
  invalid,
  notSupported,
  pathSegment,
  required,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { ageColumn, columnsFor, nameColumn, text, wide } from "../../column-builders.ts";
import type { ClusterRoleBinding, RoleBinding, Subject } from "../../generated/rbac-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

const GROUP = "rbac.authorization.k8s.io";

/** Source: kubernetes v1.36 pkg/apis/rbac/v1/defaults.go. */
export function setBindingDefaults(binding: RoleBinding | ClusterRoleBinding): void {
  binding.roleRef.apiGroup ||= GROUP;
  for (const subject of binding.subjects ?? []) {
    if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= GROUP;
  }
}

/** Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateRoleBinding, ValidateClusterRoleBinding. */
export function validateBinding(
  { roleRef, subjects }: RoleBinding | ClusterRoleBinding,
  rules: { readonly isNamespaced: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  if (roleRef.apiGroup !== GROUP) errors.push(notSupported("roleRef.apiGroup", roleRef.apiGroup, [GROUP]));
  const kinds = rules.isNamespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  if (!kinds.includes(roleRef.kind)) errors.push(notSupported("roleRef.kind", roleRef.kind, kinds));
  if (roleRef.name === "") errors.push(required("roleRef.name"));
  else errors.push(...applyRule(pathSegment, roleRef.name, "roleRef.name"));
  for (const [i, subject] of (subjects ?? []).entries()) {
    errors.push(...validateSubject(subject, rules.isNamespaced, `subjects[${i}]`));
  }
  return errors;
}

function validateSubject(
  { kind, name, apiGroup = "", namespace }: Subject,
  isNamespaced: boolean,
  path: string,
): FieldError[] {
  const errors: FieldError[] = name === "" ? [required(`${path}.name`)] : [];
  switch (kind) {
    case "ServiceAccount":
      if (name !== "") errors.push(...applyRule(dnsSubdomain, name, `${path}.name`));
      if (apiGroup !== "") errors.push(notSupported(`${path}.apiGroup`, apiGroup, [""]));
      if (!isNamespaced && !namespace) errors.push(required(`${path}.namespace`));
      return errors;
    case "User":
    case "Group":
      if (apiGroup !== GROUP) errors.push(notSupported(`${path}.apiGroup`, apiGroup, [GROUP]));
      return errors;
    default:
      return [...errors, notSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  }
}

/** A binding to another role is another binding. Source: validation.go, ValidateRoleBindingUpdate. */
export function validateSameRole(
  updated: RoleBinding | ClusterRoleBinding,
  old: RoleBinding | ClusterRoleBinding,
): FieldError[] {
  if (jsonEquals(updated.roleRef, old.roleRef)) return [];
  return [
    invalid("roleRef", goForm(builtinSchema("rbac.v1.RoleRef"), updated.roleRef), "cannot change roleRef"),
  ];
}

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printRoleBinding. */
export function bindingColumns(resource: string): readonly Column<RoleBinding & ClusterRoleBinding>[] {
  return columnsFor<RoleBinding & ClusterRoleBinding>(resource, [
    nameColumn,
    text("Role", ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
    ageColumn,
    wide("Users", ({ subjects }) => names(subjects, "User")),
    wide("Groups", ({ subjects }) => names(subjects, "Group")),
    wide("ServiceAccounts", ({ subjects }) => names(subjects, "ServiceAccount")),
  ]);
}

function names(subjects: readonly Subject[] | undefined, kind: string): string {
  return (subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (kind === "ServiceAccount" ? `${namespace ?? ""}/${name}` : name))
    .join(", ");
}
