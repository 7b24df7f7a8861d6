import type { PodTemplateSpec, ReplicationController } from "../../generated/core-v1.generated.ts";
import { setPodTemplateDefaults } from "../pod/pod-spec-defaults.ts";

/** Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_ReplicationController. */
export function setReplicationControllerDefaults(controller: ReplicationController): void {
  controller.spec ??= {};
  const { metadata, spec } = controller;
  spec.replicas ??= 1;
  const labels = spec.template?.metadata?.labels;
  if (labels !== undefined) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = copyOf(labels);
    if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = copyOf(labels);
  }
  if (spec.template !== undefined) setPodTemplateDefaults(spec.template);
}

type Labels = NonNullable<NonNullable<PodTemplateSpec["metadata"]>["labels"]>;

function copyOf(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels));
}
