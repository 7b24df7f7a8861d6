import { type FieldError, forbiddenField, invalid, notSupported, required } from "@binnacle/apimachinery";
import { validateSameSelector } from "../../core/pod/template.ts";
import type {
  Deployment,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
} from "../../generated/apps-v1.generated.ts";
import {
  intOrPercentValue,
  validateAtMost,
  validateAtMostAll,
  validateCollisionCount,
  validateCounts,
  validateIntOrPercent,
  validateReplicated,
} from "../workload-validation.ts";

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDeploymentSpec. */
export function validateDeployment({ spec }: Deployment): FieldError[] {
  const { selector, template, minReadySeconds = 0, progressDeadlineSeconds } = spec;
  const errors = [
    ...validateCounts<DeploymentSpec>(spec, ["replicas"], "spec"),
    ...validateReplicated({ selector, template, kind: "deployment" }, "spec"),
    ...validateStrategy(spec.strategy ?? {}, "spec.strategy"),
    ...validateCounts<DeploymentSpec>(spec, ["minReadySeconds", "revisionHistoryLimit"], "spec"),
    ...validateCounts<DeploymentSpec>(spec, ["progressDeadlineSeconds"], "spec"),
  ];
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    const why = "must be greater than minReadySeconds";
    errors.push(invalid("spec.progressDeadlineSeconds", progressDeadlineSeconds, why));
  }
  return errors;
}

function validateStrategy({ type = "", rollingUpdate }: DeploymentStrategy, path: string): FieldError[] {
  const at = `${path}.rollingUpdate`;
  if (type === "Recreate") {
    if (rollingUpdate === undefined) return [];
    return [forbiddenField(at, "may not be specified when strategy `type` is 'Recreate'")];
  }
  if (type !== "RollingUpdate") {
    const shown = {
      Type: type,
      RollingUpdate:
        rollingUpdate === undefined
          ? null
          : { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 },
    };
    return [notSupported(path, shown, ["Recreate", "RollingUpdate"])];
  }
  if (rollingUpdate === undefined) return [required(at, "this should be defaulted and never be nil")];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${at}.maxSurge`),
  ];
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
    errors.push(invalid(`${at}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0"));
  }
  return [...errors, ...validateAtMostAll(maxUnavailable, `${at}.maxUnavailable`)];
}

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDeploymentUpdate. */
export function validateDeploymentUpdate(updated: Deployment, old: Deployment): FieldError[] {
  return [...validateDeployment(updated), ...validateSameSelector(updated.spec.selector, old.spec.selector)];
}

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDeploymentStatusUpdate. */
export function validateDeploymentStatus(updated: Deployment, old: Deployment): FieldError[] {
  const status: DeploymentStatus = updated.status ?? {};
  const tooMany = "cannot be greater than status.replicas";
  return [
    ...validateCounts<DeploymentStatus>(
      status,
      [
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount",
      ],
      "status",
    ),
    ...validateAtMost(status, ["updatedReplicas", "readyReplicas", "availableReplicas"], "replicas", tooMany),
    ...validateAtMost(status, ["availableReplicas"], "readyReplicas", "cannot be greater than readyReplicas"),
    ...validateCollisionCount(status.collisionCount, old.status?.collisionCount),
  ];
}
