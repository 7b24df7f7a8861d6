import type { ResourceDefinition } from "@binnacle/apimachinery";
import type { HorizontalPodAutoscaler } from "../../generated/autoscaling-v2.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { horizontalPodAutoscalerColumns } from "./columns.ts";
import { setHorizontalPodAutoscalerDefaults } from "./defaults.ts";
import { fromV1, toV1 } from "./v1/conversion.ts";
import { validateHorizontalPodAutoscaler, validateHorizontalPodAutoscalerStatus } from "./validation.ts";

/** How many replicas a workload gets, by what metrics say. Stored as autoscaling/v2, served as v1 too. */
export const horizontalPodAutoscalers: ResourceDefinition<HorizontalPodAutoscaler> = {
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  resource: "horizontalpodautoscalers",
  singular: "horizontalpodautoscaler",
  listKind: "HorizontalPodAutoscalerList",
  namespaced: true,
  shortNames: ["hpa"],
  categories: ["all"],
  schema: builtinSchema("autoscaling.v2.HorizontalPodAutoscaler"),
  defaults: setHorizontalPodAutoscalerDefaults,
  strategy: {
    prepareForCreate: (hpa) => {
      hpa.status = { desiredReplicas: 0, currentMetrics: null } as unknown as NonNullable<typeof hpa.status>; // A nil slice without omitempty.
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? { desiredReplicas: 0 };
    },
    validate: validateHorizontalPodAutoscaler,
  },
  status: { validateUpdate: validateHorizontalPodAutoscalerStatus },
  columns: horizontalPodAutoscalerColumns,
  otherVersions: [
    {
      group: "autoscaling",
      version: "v1",
      kind: "HorizontalPodAutoscaler",
      resource: "horizontalpodautoscalers",
      schema: builtinSchema("autoscaling.v1.HorizontalPodAutoscaler"),
      toHub: fromV1,
      fromHub: toV1,
      columns: horizontalPodAutoscalerColumns,
    },
  ],
};
