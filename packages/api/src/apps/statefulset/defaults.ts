import { setClaimSpecDefaults } from "../../core/persistentvolumeclaim/strategy.ts";
import { setPodTemplateDefaults } from "../../core/pod/pod-spec-defaults.ts";
import type { StatefulSet, StatefulSetSpec } from "../../generated/apps-v1.generated.ts";

/** Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_StatefulSet. */
export function setStatefulSetDefaults(statefulSet: StatefulSet): void {
  // What decodes from nothing has neither selector nor template; validation reports it.
  statefulSet.spec ??= {} as StatefulSetSpec;
  const { spec } = statefulSet;
  spec.podManagementPolicy ||= "OrderedReady";
  spec.updateStrategy ??= {};
  if (!spec.updateStrategy.type) {
    spec.updateStrategy.type = "RollingUpdate";
    spec.updateStrategy.rollingUpdate ??= {};
  }
  if (spec.updateStrategy.type === "RollingUpdate" && spec.updateStrategy.rollingUpdate !== undefined) {
    spec.updateStrategy.rollingUpdate.partition ??= 0;
  }
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= "Retain";
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= "Retain";
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  spec.template = setPodTemplateDefaults(spec.template);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    // Claims within an object carry their type as if they stood alone.
    claim.apiVersion ||= "v1";
    claim.kind ||= "PersistentVolumeClaim";
    claim.spec ??= {};
    setClaimSpecDefaults(claim.spec);
    claim.status ??= {};
    claim.status.phase ??= "Pending";
  }
}
