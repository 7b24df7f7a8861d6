import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { Namespace } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import {
  prepareNamespaceForCreate,
  prepareNamespaceForUpdate,
  setNamespaceDefaults,
  validateNamespace,
  validateNamespaceStatus,
} from "./strategy.ts";

/** What names are unique in, and what access and quota are given for. */
export const namespaces: ResourceDefinition<Namespace> = {
  group: "",
  version: "v1",
  kind: "Namespace",
  resource: "namespaces",
  singular: "namespace",
  listKind: "NamespaceList",
  namespaced: false,
  shortNames: ["ns"],
  schema: builtinSchema("core.v1.Namespace"),
  defaults: setNamespaceDefaults,
  strategy: {
    nameFormat: "dnsLabel",
    prepareForCreate: prepareNamespaceForCreate,
    prepareForUpdate: prepareNamespaceForUpdate,
    validate: validateNamespace,
    validateUpdate: () => [],
  },
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  status: { validateUpdate: validateNamespaceStatus },
  columns: columnsFor<Namespace>("namespaces", [
    nameColumn,
    text("Status", ({ status }) => status?.phase ?? ""),
    ageColumn,
  ]),
  selectableFieldNames: ["status.phase"],
  selectableFields: ({ status }) => ({ "status.phase": status?.phase ?? "" }),
};
