import type { ResourceDefinition } from "@binnacle/apimachinery";
import { columnsFor, createdAtColumn, nameColumn } from "../../column-builders.ts";
import type { Role } from "../../generated/rbac-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateRole } from "./validation.ts";

/** What may be done in a namespace. */
export const roles: ResourceDefinition<Role> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "Role",
  resource: "roles",
  singular: "role",
  listKind: "RoleList",
  namespaced: true,
  schema: builtinSchema("rbac.v1.Role"),
  strategy: { nameFormat: "path", allowCreateOnUpdate: true, validate: validateRole },
  columns: columnsFor<Role>("roles", [nameColumn, createdAtColumn]),
};
