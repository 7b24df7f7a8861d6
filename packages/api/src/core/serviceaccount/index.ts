import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn } from "../../column-builders.ts";
import type { ServiceAccount } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Who pods act as. */
export const serviceAccounts: ResourceDefinition<ServiceAccount> = {
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  resource: "serviceaccounts",
  singular: "serviceaccount",
  listKind: "ServiceAccountList",
  namespaced: true,
  shortNames: ["sa"],
  schema: builtinSchema("core.v1.ServiceAccount"),
  strategy: {
    repeatsMetadataChecks: true,
    returnsDeletedObject: true,
  },
  columns: columnsFor<ServiceAccount>("serviceaccounts", [nameColumn, ageColumn]),
};
