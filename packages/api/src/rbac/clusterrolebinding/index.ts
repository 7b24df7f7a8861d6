import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { ClusterRoleBinding } from "../../generated/rbac-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import {
  bindingColumns,
  setBindingDefaults,
  validateBinding,
  validateSameRole,
} from "../rolebinding/binding.ts";

/** Who has a role everywhere. */
export const clusterRoleBindings: ResourceDefinition<ClusterRoleBinding> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRoleBinding",
  resource: "clusterrolebindings",
  singular: "clusterrolebinding",
  listKind: "ClusterRoleBindingList",
  namespaced: false,
  schema: builtinSchema("rbac.v1.ClusterRoleBinding"),
  defaults: setBindingDefaults,
  strategy: {
    nameFormat: "path",
    allowCreateOnUpdate: true,
    validate: (binding) => validateBinding(binding, { isNamespaced: false }),
    validateUpdate: (updated, old) => [
      ...validateBinding(updated, { isNamespaced: false }),
      ...validateSameRole(updated, old),
    ],
  },
  columns: bindingColumns("clusterrolebindings"),
};
