import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn } from "../../column-builders.ts";
import type { ConfigMap } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validateConfigMap, validateConfigMapUpdate } from "./validation.ts";

/** Configuration that pods read. */
export const configMaps: ResourceDefinition<ConfigMap> = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  singular: "configmap",
  listKind: "ConfigMapList",
  namespaced: true,
  shortNames: ["cm"],
  schema: builtinSchema("core.v1.ConfigMap"),
  strategy: {
    repeatsMetadataChecks: true,
    validate: validateConfigMap,
    validateUpdate: validateConfigMapUpdate,
  },
  columns: columnsFor<ConfigMap>("configmaps", [
    nameColumn,
    {
      ...integer(
        "Data",
        ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
      ),
      type: "string",
    },
    ageColumn,
  ]),
};
