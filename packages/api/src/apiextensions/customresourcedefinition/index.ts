import type { ResourceDefinition } from "@binnacle/apimachinery";
import { columnsFor, createdAtColumn, nameColumn } from "../../column-builders.ts";
import type { CustomResourceDefinition } from "../../generated/apiextensions-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { prepareCrdForCreate, prepareCrdForUpdate, setCrdDefaults } from "./strategy.ts";
import { validateCrd, validateCrdUpdate } from "./validation.ts";

/** A resource of somebody's own. */
export const customResourceDefinitions: ResourceDefinition<CustomResourceDefinition> = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  resource: "customresourcedefinitions",
  singular: "customresourcedefinition",
  listKind: "CustomResourceDefinitionList",
  namespaced: false,
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  schema: builtinSchema("apiextensions.v1.CustomResourceDefinition"),
  defaults: setCrdDefaults,
  strategy: {
    hasGeneration: true,
    prepareForCreate: prepareCrdForCreate,
    prepareForUpdate: prepareCrdForUpdate,
    validate: validateCrd,
    validateUpdate: validateCrdUpdate,
  },
  status: {},
  columns: columnsFor<CustomResourceDefinition>("customresourcedefinitions", [nameColumn, createdAtColumn]),
};
