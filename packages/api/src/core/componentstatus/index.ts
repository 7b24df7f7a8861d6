import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { ComponentStatus } from "../../generated/core-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Whether a part of the control plane is well. Only kept for old clients. */
export const componentStatuses: ResourceDefinition<ComponentStatus> = {
  group: "",
  version: "v1",
  kind: "ComponentStatus",
  resource: "componentstatuses",
  singular: "componentstatus",
  listKind: "ComponentStatusList",
  namespaced: false,
  shortNames: ["cs"],
  schema: builtinSchema("core.v1.ComponentStatus"),
  strategy: {},
  verbs: ["get", "list"],
  virtual: true,
  deprecation: "v1 ComponentStatus is deprecated in v1.19+",
  columns: columnsFor<ComponentStatus>("componentstatuses", [
    nameColumn,
    text("Status", ({ conditions }) => {
      const healthy = conditions?.find(({ type }) => type === "Healthy");
      if (healthy === undefined) return "Unknown";
      return healthy.status === "True" ? "Healthy" : "Unhealthy";
    }),
    text("Message", ({ conditions }) => conditions?.find(({ type }) => type === "Healthy")?.message ?? ""),
    text("Error", ({ conditions }) => conditions?.find(({ type }) => type === "Healthy")?.error ?? ""),
    ageColumn,
  ]),
};
