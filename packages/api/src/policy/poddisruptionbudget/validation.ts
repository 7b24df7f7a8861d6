import {
  applyRule,
  type FieldError,
  goForm,
  invalid,
  notSupported,
  percent,
  validateLabelSelector,
  validateNonNegative,
} from "@binnacle/apimachinery";
import type { PodDisruptionBudget } from "../../generated/policy-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

const EVICTION_POLICIES = ["AlwaysAllow", "IfHealthyBudget"];

/** Source: kubernetes v1.36 pkg/apis/policy/validation/validation.go, ValidatePodDisruptionBudgetSpec. */
export function validatePodDisruptionBudget({ spec = {} }: PodDisruptionBudget): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const shown = goForm(builtinSchema("policy.v1.PodDisruptionBudgetSpec"), spec);
    errors.push(invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  if (spec.minAvailable !== undefined) errors.push(...validateAmount(spec.minAvailable, "spec.minAvailable"));
  if (spec.maxUnavailable !== undefined)
    errors.push(...validateAmount(spec.maxUnavailable, "spec.maxUnavailable"));
  errors.push(...validateLabelSelector(spec.selector, "spec.selector"));
  const policy = spec.unhealthyPodEvictionPolicy;
  if (policy !== undefined && !EVICTION_POLICIES.includes(policy)) {
    errors.push(notSupported("spec.unhealthyPodEvictionPolicy", policy, EVICTION_POLICIES));
  }
  return errors;
}

/** A count or a share of at most 100 %. */
function validateAmount(value: number | string, path: string): FieldError[] {
  if (typeof value === "number") return validateNonNegative(value, path);
  const problems = applyRule(percent, value, path);
  if (problems.length > 0) return problems;
  return Number.parseInt(value, 10) > 100 ? [invalid(path, value, "must not be greater than 100%")] : [];
}

/** Source: validation.go, ValidatePodDisruptionBudgetStatusUpdate. */
export function validatePodDisruptionBudgetStatus({ status }: PodDisruptionBudget): FieldError[] {
  return (["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const).flatMap(
    (field) => validateNonNegative(status?.[field], `status.${field}`),
  );
}
