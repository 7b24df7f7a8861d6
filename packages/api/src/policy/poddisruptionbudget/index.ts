import type { ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn, text } from "../../column-builders.ts";
import type { PodDisruptionBudget } from "../../generated/policy-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { validatePodDisruptionBudget, validatePodDisruptionBudgetStatus } from "./validation.ts";

/** How many of a set of pods may be away at once. */
export const podDisruptionBudgets: ResourceDefinition<PodDisruptionBudget> = {
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  resource: "poddisruptionbudgets",
  singular: "poddisruptionbudget",
  listKind: "PodDisruptionBudgetList",
  namespaced: true,
  shortNames: ["pdb"],
  schema: builtinSchema("policy.v1.PodDisruptionBudget"),
  strategy: {
    hasGeneration: true,
    allowUnconditionalUpdate: false,
    prepareForCreate: (budget) => {
      budget.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validatePodDisruptionBudget,
  },
  status: { validateUpdate: validatePodDisruptionBudgetStatus },
  columns: columnsFor<PodDisruptionBudget>("poddisruptionbudgets", [
    nameColumn,
    text("Min Available", ({ spec }) => `${spec?.minAvailable ?? "N/A"}`),
    text("Max Unavailable", ({ spec }) => `${spec?.maxUnavailable ?? "N/A"}`),
    integer("Allowed Disruptions", ({ status }) => status?.disruptionsAllowed ?? 0),
    ageColumn,
  ]),
};
