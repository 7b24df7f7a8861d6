import type { Column } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, integer, nameColumn, text } from "../../column-builders.ts";
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
} from "../../generated/autoscaling-v2.generated.ts";

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printHorizontalPodAutoscaler. */
export const horizontalPodAutoscalerColumns: readonly Column<HorizontalPodAutoscaler>[] =
  columnsFor<HorizontalPodAutoscaler>("horizontalpodautoscalers", [
    nameColumn,
    text("Reference", ({ spec: { scaleTargetRef } }) => `${scaleTargetRef.kind}/${scaleTargetRef.name}`),
    text("Targets", ({ spec, status }) => formatMetrics(spec.metrics ?? [], status?.currentMetrics ?? [])),
    text("MinPods", ({ spec }) => `${spec.minReplicas ?? "<unset>"}`),
    integer("MaxPods", ({ spec }) => spec.maxReplicas),
    integer("Replicas", ({ status }) => status?.currentReplicas ?? 0),
    ageColumn,
  ]);

const SHOWN = 2;

function formatMetrics(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return "<none>";
  const list = specs.map((spec, i) => formatMetric(spec, statuses[i]));
  const shown = list.slice(0, SHOWN).join(", ");
  return list.length > SHOWN ? `${shown} + ${list.length - SHOWN} more...` : shown;
}

function formatMetric(spec: MetricSpec, status: MetricStatus | undefined): string {
  const unknown = "<unknown>";
  switch (spec.type) {
    case "External":
    case "Object": {
      const field = spec.type === "External" ? "external" : "object";
      const target = spec[field]?.target;
      const current = status?.[field]?.current;
      if (target?.averageValue !== undefined)
        return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
      return `${current?.value ?? unknown}/${target?.value ?? ""}`;
    }
    case "Pods":
      return `${status?.pods?.current.averageValue ?? unknown}/${spec.pods?.target.averageValue ?? ""}`;
    case "Resource":
    case "ContainerResource": {
      const field = spec.type === "Resource" ? "resource" : "containerResource";
      const { name = "", target } = spec[field] ?? {};
      const current = status?.[field]?.current;
      if (target?.averageValue !== undefined) {
        return `${name}: ${current?.averageValue ?? unknown}/${target.averageValue}`;
      }
      const percent = (value: number | undefined, none: string): string =>
        value === undefined ? none : `${value}%`;
      return `${name}: ${percent(current?.averageUtilization, unknown)}/${percent(target?.averageUtilization, "<auto>")}`;
    }
    default:
      return "<unknown type>";
  }
}
