import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { Secret } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setSecretDefaults } from "./defaults.ts";
import { validateSecret, validateSecretUpdate, warningsForSecret } from "./validation.ts";

/** Small confidential data. */
export const secrets: ResourceDefinition<Secret> = {
  group: "",
  version: "v1",
  kind: "Secret",
  resource: "secrets",
  singular: "secret",
  listKind: "SecretList",
  namespaced: true,
  schema: builtinSchema("core.v1.Secret"),
  defaults: setSecretDefaults,
  strategy: {
    repeatsMetadataChecks: true,
    prepareForUpdate: keepType,
    validate: validateSecret,
    validateUpdate: validateSecretUpdate,
    warningsOnCreate: warningsForSecret,
    warningsOnUpdate: warningsForSecret,
  },
  columns: columnsFor<Secret>("secrets", [
    nameColumn,
    text("Type", ({ type }) => type ?? ""),
    text("Data", ({ data }) => Object.keys(data ?? {}).length),
    ageColumn,
  ]),
  selectableFieldNames: ["type"],
  selectableFields: ({ type }) => ({ type: type ?? "" }),
};

/** A client that does not know of types keeps the stored one. Source: v1.36 pkg/registry/core/secret/strategy.go. */
function keepType(updated: Secret, old: Secret): void {
  if ((updated.type ?? "") === "" && old.type !== undefined) updated.type = old.type;
}
