import {
  type FieldError,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import {
  selectorTest,
  shownSelector,
  validateLongRunning,
  validatePodTemplateSpec,
  validateSameSelector,
  validateSelected,
} from "../../core/pod/template.ts";
import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
} from "../../generated/apps-v1.generated.ts";
import type { LabelSelector } from "../../generated/meta-v1.generated.ts";
import {
  intOrPercentValue,
  validateAtMostAll,
  validateCollisionCount,
  validateCounts,
  validateIntOrPercent,
} from "../workload-validation.ts";

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDaemonSetSpec. */
export function validateDaemonSet({ spec }: DaemonSet): FieldError[] {
  const { template } = spec;
  const selector: LabelSelector | null | undefined = spec.selector; // Decoding writes a missing one as null.
  const errors = validateLabelSelector(selector, "spec.selector");
  const selects = selectorTest(selector);
  if (selects !== undefined) errors.push(...validateSelected(selects, template, "spec.template"));
  if (
    selector !== undefined &&
    selector !== null &&
    Object.keys(selector.matchLabels ?? {}).length === 0 &&
    !selector.matchExpressions?.length
  ) {
    errors.push(invalid("spec.selector", shownSelector(selector), "empty selector is invalid for daemonset"));
  }
  return [
    ...errors,
    ...validatePodTemplateSpec(template, "spec.template"),
    ...validateLongRunning(template, "DaemonSet", "spec.template"),
    ...validateCounts<DaemonSetSpec>(spec, ["minReadySeconds"], "spec"),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, "spec.updateStrategy"),
    ...validateCounts<DaemonSetSpec>(spec, ["revisionHistoryLimit"], "spec"),
  ];
}

function validateUpdateStrategy(
  { type = "", rollingUpdate }: DaemonSetUpdateStrategy,
  path: string,
): FieldError[] {
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") {
    const shown = {
      Type: type,
      RollingUpdate:
        rollingUpdate === undefined
          ? null
          : { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 },
    };
    return [notSupported(path, shown, ["RollingUpdate", "OnDelete"])];
  }
  const at = `${path}.rollingUpdate`;
  if (rollingUpdate === undefined) return [required(at)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${at}.maxSurge`),
    ...validateAtMostAll(maxUnavailable, `${at}.maxUnavailable`),
    ...validateAtMostAll(maxSurge, `${at}.maxSurge`),
  ];
  const unavailable = intOrPercentValue(maxUnavailable) !== 0;
  const surge = intOrPercentValue(maxSurge) !== 0;
  if (unavailable && surge) {
    errors.push(invalid(`${at}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero"));
  } else if (!unavailable && !surge) {
    errors.push(required(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0"));
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDaemonSetUpdate. */
export function validateDaemonSetUpdate(updated: DaemonSet, old: DaemonSet): FieldError[] {
  return [...validateSameSelector(updated.spec.selector, old.spec.selector), ...validateDaemonSet(updated)];
}

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDaemonSetStatusUpdate. */
export function validateDaemonSetStatus(updated: DaemonSet, old: DaemonSet): FieldError[] {
  const status: Partial<DaemonSetStatus> = updated.status ?? {};
  return [
    ...validateCounts<Partial<DaemonSetStatus>>(
      status,
      [
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount",
      ],
      "status",
    ),
    ...validateCollisionCount(status.collisionCount, old.status?.collisionCount),
  ];
}
