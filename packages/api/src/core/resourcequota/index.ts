import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { ResourceQuota } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import {
  setResourceQuotaDefaults,
  validateResourceQuota,
  validateResourceQuotaStatus,
  validateResourceQuotaUpdate,
} from "./validation.ts";

/** How much a namespace may use. */
export const resourceQuotas: ResourceDefinition<ResourceQuota> = {
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  resource: "resourcequotas",
  singular: "resourcequota",
  listKind: "ResourceQuotaList",
  namespaced: true,
  shortNames: ["quota"],
  schema: builtinSchema("core.v1.ResourceQuota"),
  defaults: setResourceQuotaDefaults,
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate: (quota) => {
      quota.status = {};
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validateResourceQuota,
    validateUpdate: validateResourceQuotaUpdate,
  },
  status: { validateUpdate: validateResourceQuotaStatus },
  columns: columnsFor<ResourceQuota>("resourcequotas", [
    nameColumn,
    text("Request", (quota) => formatUse(quota, (name) => !isLimit(name))),
    text("Limit", (quota) => formatUse(quota, isLimit)),
    ageColumn,
  ]),
};

function isLimit(name: string): boolean {
  return name.startsWith("limits.") || name === "limits";
}

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printResourceQuota. */
function formatUse({ status }: ResourceQuota, isShown: (name: string) => boolean): string {
  const names = Object.keys(status?.hard ?? {})
    .filter(isShown)
    .sort();
  return names.map((name) => `${name}: ${status?.used?.[name] ?? "0"}/${status?.hard?.[name]}`).join(", ");
}
