import { goForm, type UnstructuredObject } from "@binnacle/apimachinery";
import { JsonSyntaxError, type JsonValue, parseJson } from "@binnacle/base";
import type { HorizontalPodAutoscaler as Old } from "../../../generated/autoscaling-v1.generated.ts";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
} from "../../../generated/autoscaling-v2.generated.ts";
import { builtinSchema } from "../../../schema-registry.ts";
import { fromOldMetric, fromOldStatus, isCpuUtilization, toOldMetric, toOldStatus } from "./metrics.ts";

const PREFIX = "autoscaling.alpha.kubernetes.io/";
/** Where autoscaling/v1 keeps what it has no field for. */
const METRICS: string = `${PREFIX}metrics`;
const CURRENT_METRICS: string = `${PREFIX}current-metrics`;
const CONDITIONS: string = `${PREFIX}conditions`;
const BEHAVIOR: string = `${PREFIX}behavior`;

/**
 * As autoscaling/v1: one CPU target; all else in annotations.
 *
 * Source: kubernetes v1.36 pkg/apis/autoscaling/v1/conversion.go.
 */
export function toV1(hpa: HorizontalPodAutoscaler): UnstructuredObject {
  const { spec, status } = hpa;
  const annotations = withoutOurs(hpa.metadata.annotations);
  const metrics = spec.metrics ?? [];
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  if (others.length > 0) annotations[METRICS] = JSON.stringify(others.map(toOldMetric));
  const statuses = status?.currentMetrics ?? [];
  if (statuses.length > 0) annotations[CURRENT_METRICS] = JSON.stringify(statuses.map(toOldStatus));
  if ((status?.conditions ?? []).length > 0) annotations[CONDITIONS] = JSON.stringify(status?.conditions);
  if (spec.behavior !== undefined) {
    const schema = builtinSchema("autoscaling.v2.HorizontalPodAutoscalerBehavior");
    annotations[BEHAVIOR] = JSON.stringify(goForm(schema, spec.behavior));
  }
  const old: Old = {
    metadata: { ...hpa.metadata },
    spec: { scaleTargetRef: spec.scaleTargetRef, maxReplicas: spec.maxReplicas },
    status: { currentReplicas: status?.currentReplicas ?? 0, desiredReplicas: status?.desiredReplicas ?? 0 },
  };
  if (Object.keys(annotations).length > 0) old.metadata.annotations = annotations;
  else delete old.metadata.annotations;
  if (spec.minReplicas !== undefined) old.spec.minReplicas = spec.minReplicas;
  const target = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization;
  if (target !== undefined) old.spec.targetCPUUtilizationPercentage = target;
  if (old.status !== undefined) {
    if (status?.observedGeneration !== undefined) old.status.observedGeneration = status.observedGeneration;
    if (status?.lastScaleTime !== undefined) old.status.lastScaleTime = status.lastScaleTime;
    const cpu = statuses.find(({ type, resource }) => type === "Resource" && resource?.name === "cpu");
    const current = cpu?.resource?.current.averageUtilization;
    if (current !== undefined) old.status.currentCPUUtilizationPercentage = current;
  }
  return old as unknown as UnstructuredObject; // The fields of autoscaling/v1.
}

/** The inverse of {@link toV1}; annotations that make no sense are ignored. */
export function fromV1(object: UnstructuredObject): HorizontalPodAutoscaler {
  const old = object as unknown as Old; // Decoded by the schema of autoscaling/v1.
  const given = old.metadata.annotations ?? {};
  const spec: HorizontalPodAutoscalerSpec = {
    scaleTargetRef: old.spec.scaleTargetRef,
    maxReplicas: old.spec.maxReplicas,
  };
  if (old.spec.minReplicas !== undefined) spec.minReplicas = old.spec.minReplicas;
  const metrics = asList(parseAnnotation(given[METRICS])).map(fromOldMetric);
  const target = old.spec.targetCPUUtilizationPercentage;
  if (target !== undefined) {
    const cpu = { name: "cpu", target: { type: "Utilization", averageUtilization: target } };
    metrics.push({ type: "Resource", resource: cpu });
  }
  if (metrics.length > 0) spec.metrics = metrics;
  const behavior = fromGoForm(parseAnnotation(given[BEHAVIOR]));
  // The annotation was written by toV1, or by a client that knows its form.
  if (behavior !== undefined) spec.behavior = behavior as HorizontalPodAutoscalerBehavior;
  const status: HorizontalPodAutoscalerStatus = { desiredReplicas: old.status?.desiredReplicas ?? 0 };
  if (old.status?.currentReplicas) status.currentReplicas = old.status.currentReplicas;
  if (old.status?.observedGeneration !== undefined) status.observedGeneration = old.status.observedGeneration;
  if (old.status?.lastScaleTime !== undefined) status.lastScaleTime = old.status.lastScaleTime;
  const statuses = asList(parseAnnotation(given[CURRENT_METRICS])).map(fromOldStatus);
  const current = old.status?.currentCPUUtilizationPercentage;
  if (current !== undefined && !statuses.some(({ resource }) => resource?.name === "cpu")) {
    statuses.push({ type: "Resource", resource: { name: "cpu", current: { averageUtilization: current } } });
  }
  if (statuses.length > 0) status.currentMetrics = statuses;
  const conditions = asList(parseAnnotation(given[CONDITIONS]));
  if (conditions.length > 0) status.conditions = conditions as unknown as HorizontalPodAutoscalerCondition[]; // As above.
  const metadata = { ...old.metadata };
  const kept = withoutOurs(metadata.annotations);
  if (Object.keys(kept).length > 0) metadata.annotations = kept;
  else delete metadata.annotations;
  return { metadata, spec, status };
}

function withoutOurs(annotations: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const kept = { ...annotations };
  for (const key of [METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR]) delete kept[key];
  return kept;
}

function parseAnnotation(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    return parseJson(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

type JsonObject = { [key: string]: JsonValue };

function asList(value: JsonValue | undefined): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (item): item is JsonObject => typeof item === "object" && item !== null && !Array.isArray(item),
  );
}

/** `{"ScaleUp":{"SelectPolicy":"Max","Tolerance":null}}` with the names of the wire; nulls are left out. */
function fromGoForm(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item) => fromGoForm(item) ?? null);
  if (typeof value !== "object") return value;
  const out: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) {
    const converted = fromGoForm(inner);
    if (converted !== undefined) out[name.charAt(0).toLowerCase() + name.slice(1)] = converted;
  }
  return out;
}
