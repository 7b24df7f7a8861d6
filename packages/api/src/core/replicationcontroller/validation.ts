import { type FieldError, labelMatcherFromMap, matchLabels, required } from "@binnacle/apimachinery";
import { validateReplicaCounts } from "../../apps/replicaset/validation.ts";
import { validateCounts } from "../../apps/workload-validation.ts";
import type { ReplicationController, ReplicationControllerSpec } from "../../generated/core-v1.generated.ts";
import { validateLongRunning, validatePodTemplateSpec, validateSelected } from "../pod/template.ts";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateReplicationControllerSpec. */
export function validateReplicationController({ spec }: ReplicationController): FieldError[] {
  const { selector = {}, template } = spec;
  const errors = validateCounts<ReplicationControllerSpec>(spec, ["minReadySeconds"], "spec");
  const isEmpty = Object.keys(selector).length === 0;
  if (isEmpty) errors.push(required("spec.selector"));
  if (spec.replicas === undefined) errors.push(required("spec.replicas"));
  errors.push(...validateCounts<ReplicationControllerSpec>(spec, ["replicas"], "spec"));
  const at = "spec.template";
  if (template === undefined) return [...errors, required(at)];
  const matcher = labelMatcherFromMap(selector);
  return [
    ...errors,
    ...(isEmpty ? [] : validateSelected((labels) => matchLabels(matcher, labels), template, at)),
    ...validatePodTemplateSpec(template, at),
    ...validateLongRunning(template, "ReplicationController", at),
  ];
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateReplicationControllerStatus. */
export function validateReplicationControllerStatus({ status }: ReplicationController): FieldError[] {
  return validateReplicaCounts(status ?? { replicas: 0 });
}
