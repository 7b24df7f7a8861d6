import type { FieldError } from "@binnacle/apimachinery";
import { validateSameSelector } from "../../core/pod/template.ts";
import type { ReplicaSet, ReplicaSetSpec, ReplicaSetStatus } from "../../generated/apps-v1.generated.ts";
import { validateAtMost, validateCounts, validateReplicated } from "../workload-validation.ts";

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetSpec. */
export function validateReplicaSet({ spec }: ReplicaSet): FieldError[] {
  const { selector, template } = spec;
  return [
    ...validateCounts<ReplicaSetSpec>(spec, ["replicas", "minReadySeconds"], "spec"),
    // The kind in the message is upstream's.
    ...validateReplicated({ selector, template, kind: "deployment" }, "spec"),
  ];
}

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetUpdate. */
export function validateReplicaSetUpdate(updated: ReplicaSet, old: ReplicaSet): FieldError[] {
  return [...validateReplicaSet(updated), ...validateSameSelector(updated.spec.selector, old.spec.selector)];
}

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetStatus. */
export function validateReplicaSetStatus(updated: ReplicaSet): FieldError[] {
  return validateReplicaCounts(updated.status ?? { replicas: 0 });
}

/** The counts that ReplicaSets and ReplicationControllers share. */
export function validateReplicaCounts(status: ReplicaSetStatus): FieldError[] {
  const tooMany = "cannot be greater than status.replicas";
  return [
    ...validateCounts<ReplicaSetStatus>(
      status,
      [
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration",
        "terminatingReplicas",
      ],
      "status",
    ),
    ...validateAtMost(
      status,
      ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
      "replicas",
      tooMany,
    ),
    ...validateAtMost(status, ["availableReplicas"], "readyReplicas", "cannot be greater than readyReplicas"),
  ];
}
