import type { ResourceDefinition } from "@binnacle/apimachinery";
import { columnsFor, createdAtColumn, nameColumn } from "../../column-builders.ts";
import type { LimitRange } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { setLimitRangeDefaults, validateLimitRange } from "./validation.ts";

/** How large the pods, containers and claims of a namespace may be. */
export const limitRanges: ResourceDefinition<LimitRange> = {
  group: "",
  version: "v1",
  kind: "LimitRange",
  resource: "limitranges",
  singular: "limitrange",
  listKind: "LimitRangeList",
  namespaced: true,
  shortNames: ["limits"],
  schema: builtinSchema("core.v1.LimitRange"),
  defaults: setLimitRangeDefaults,
  strategy: { allowCreateOnUpdate: true, validate: validateLimitRange },
  columns: columnsFor<LimitRange>("limitranges", [nameColumn, createdAtColumn]),
};
