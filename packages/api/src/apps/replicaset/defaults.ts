import { setPodTemplateDefaults } from "../../core/pod/pod-spec-defaults.ts";
import type { ReplicaSet, ReplicaSetSpec } from "../../generated/apps-v1.generated.ts";

/** Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_ReplicaSet. */
export function setReplicaSetDefaults(replicaSet: ReplicaSet): void {
  // What decodes from nothing has no selector; validation reports it.
  replicaSet.spec ??= {} as ReplicaSetSpec;
  replicaSet.spec.replicas ??= 1;
  replicaSet.spec.template = setPodTemplateDefaults(replicaSet.spec.template);
}
