import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { RoleBinding } from "../../generated/rbac-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { bindingColumns, setBindingDefaults, validateBinding, validateSameRole } from "./binding.ts";

/** Who has a role in a namespace. */
export const roleBindings: ResourceDefinition<RoleBinding> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "RoleBinding",
  resource: "rolebindings",
  singular: "rolebinding",
  listKind: "RoleBindingList",
  namespaced: true,
  schema: builtinSchema("rbac.v1.RoleBinding"),
  defaults: setBindingDefaults,
  strategy: {
    nameFormat: "path",
    allowCreateOnUpdate: true,
    validate: (binding) => validateBinding(binding, { isNamespaced: true }),
    validateUpdate: (updated, old) => [
      ...validateBinding(updated, { isNamespaced: true }),
      ...validateSameRole(updated, old),
    ],
  },
  columns: bindingColumns("rolebindings"),
};
