import { setPodTemplateDefaults } from "../../core/pod/pod-spec-defaults.ts";
import type { Deployment, DeploymentSpec } from "../../generated/apps-v1.generated.ts";

/** Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go, SetDefaults_Deployment. */
export function setDeploymentDefaults(deployment: Deployment): void {
  // What decodes from nothing has neither selector nor template; validation reports it.
  deployment.spec ??= {} as DeploymentSpec;
  const { spec } = deployment;
  spec.replicas ??= 1;
  spec.strategy ??= {};
  spec.strategy.type ||= "RollingUpdate";
  if (spec.strategy.type === "RollingUpdate") {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= "25%";
    spec.strategy.rollingUpdate.maxSurge ??= "25%";
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  spec.template = setPodTemplateDefaults(spec.template);
}
