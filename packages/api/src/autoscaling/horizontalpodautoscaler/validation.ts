import {
  applyRule,
  type FieldError,
  invalid,
  notSupported,
  parseApiVersion,
  pathSegment,
  quantitySign,
  required,
  validateNonNegative,
} from "@binnacle/apimachinery";
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HPAScalingRules,
} from "../../generated/autoscaling-v2.generated.ts";
import { validateMetrics } from "./metric-validation.ts";

const MAX_STABILIZATION_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;

/** Source: kubernetes v1.36 pkg/apis/autoscaling/validation/validation.go, ValidateHorizontalPodAutoscaler. */
export function validateHorizontalPodAutoscaler({ spec }: HorizontalPodAutoscaler): FieldError[] {
  const { minReplicas, maxReplicas, scaleTargetRef } = spec;
  const errors: FieldError[] = [];
  if (minReplicas !== undefined && minReplicas < 1) {
    errors.push(invalid("spec.minReplicas", minReplicas, "must be greater than or equal to 1"));
  }
  if (maxReplicas < 1) errors.push(required("spec.maxReplicas", "must be set and greater than 0"));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalid("spec.maxReplicas", maxReplicas, "must be greater than or equal to `minReplicas`"));
  }
  errors.push(...validateReference(scaleTargetRef, "spec.scaleTargetRef"));
  if (
    scaleTargetRef.kind !== "ReplicationController" &&
    !parseApiVersion(scaleTargetRef.apiVersion ?? "")?.group
  ) {
    const why = "apiVersion must specify API group";
    errors.push(invalid("spec.scaleTargetRef.apiVersion", scaleTargetRef.apiVersion ?? "", why));
  }
  errors.push(...validateMetrics(spec.metrics ?? [], minReplicas, "spec.metrics"));
  errors.push(...validateRules(spec.behavior?.scaleUp, "spec.behavior.scaleUp"));
  errors.push(...validateRules(spec.behavior?.scaleDown, "spec.behavior.scaleDown"));
  return errors;
}

export function validateReference({ kind, name }: CrossVersionObjectReference, path: string): FieldError[] {
  return [
    ...(kind === "" ? [required(`${path}.kind`)] : applyRule(pathSegment, kind, `${path}.kind`)),
    ...(name === "" ? [required(`${path}.name`)] : applyRule(pathSegment, name, `${path}.name`)),
  ];
}

function validateRules(rules: HPAScalingRules | undefined, path: string): FieldError[] {
  if (rules === undefined) return [];
  const errors: FieldError[] = [];
  const window = rules.stabilizationWindowSeconds ?? 0;
  const windowPath = `${path}.stabilizationWindowSeconds`;
  if (window < 0) errors.push(invalid(windowPath, window, "must be greater than or equal to zero"));
  if (window > MAX_STABILIZATION_SECONDS) {
    errors.push(invalid(windowPath, window, `must be less than or equal to ${MAX_STABILIZATION_SECONDS}`));
  }
  const select = ["Disabled", "Max", "Min"];
  if (rules.selectPolicy !== undefined && !select.includes(rules.selectPolicy)) {
    errors.push(notSupported(`${path}.selectPolicy`, rules.selectPolicy, select));
  }
  const policies = rules.policies ?? [];
  if (policies.length === 0) errors.push(required(`${path}.policies`, "must specify at least one Policy"));
  for (const [i, { type, value, periodSeconds }] of policies.entries()) {
    const at = `${path}.policies[${i}]`;
    const types = ["Percent", "Pods"];
    if (!types.includes(type)) errors.push(notSupported(`${at}.type`, type, types));
    if (value <= 0) errors.push(invalid(`${at}.value`, value, "must be greater than zero"));
    if (periodSeconds <= 0)
      errors.push(invalid(`${at}.periodSeconds`, periodSeconds, "must be greater than zero"));
    if (periodSeconds > MAX_PERIOD_SECONDS) {
      const why = `must be less than or equal to ${MAX_PERIOD_SECONDS}`;
      errors.push(invalid(`${at}.periodSeconds`, periodSeconds, why));
    }
  }
  if (rules.tolerance !== undefined && quantitySign(rules.tolerance) < 0) {
    errors.push(invalid(`${path}.tolerance`, rules.tolerance, "must be greater or equal to zero"));
  }
  return errors;
}

/** Source: validation.go, ValidateHorizontalPodAutoscalerStatusUpdate. */
export function validateHorizontalPodAutoscalerStatus({ status }: HorizontalPodAutoscaler): FieldError[] {
  return [
    ...validateNonNegative(status?.currentReplicas, "status.currentReplicas"),
    ...validateNonNegative(status?.desiredReplicas, "status.desiredReplicas"),
  ];
}
