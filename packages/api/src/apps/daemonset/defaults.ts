import { setPodTemplateDefaults } from "../../core/pod/pod-spec-defaults.ts";
import type { DaemonSet, DaemonSetSpec } from "../../generated/apps-v1.generated.ts";
import { setTemplateGenerationDefault } from "./strategy.ts";

/** Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_DaemonSet. */
export function setDaemonSetDefaults(daemonSet: DaemonSet): void {
  // What decodes from nothing has neither selector nor template; validation reports it.
  daemonSet.spec ??= {} as DaemonSetSpec;
  const { spec } = daemonSet;
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ||= "RollingUpdate";
  if (spec.updateStrategy.type === "RollingUpdate") {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  spec.template = setPodTemplateDefaults(spec.template);
  setTemplateGenerationDefault(daemonSet);
}
