import type { Container, ContainerRestartRule, PodSpec } from "../../generated/core-v1.generated.ts";

/**
 * Whether a container that ended with this code is started again.
 *
 * Source: kubernetes v1.36 pkg/api/v1/pod/util.go, ContainerShouldRestart.
 */
export function containerShouldRestart(container: Container, spec: PodSpec, exitCode: number): boolean {
  if (container.restartPolicy !== undefined) {
    if (matchingRestartRule(container, exitCode) !== undefined) return true;
    return policyRestarts(container.restartPolicy, exitCode);
  }
  return policyRestarts(spec.restartPolicy ?? "Always", exitCode);
}

/** The first rule for the code. */
export function matchingRestartRule(
  { restartPolicyRules }: Container,
  exitCode: number,
): ContainerRestartRule | undefined {
  return restartPolicyRules?.find(({ exitCodes }) => {
    if (exitCodes === undefined) return false;
    const listed = (exitCodes.values ?? []).includes(exitCode);
    return exitCodes.operator === "In" ? listed : exitCodes.operator === "NotIn" && !listed;
  });
}

function policyRestarts(policy: string, exitCode: number): boolean {
  return policy === "OnFailure" ? exitCode !== 0 : policy !== "Never";
}

/** Whether the end of one container may start all of them again. */
export function allContainersCouldRestart(spec: PodSpec): boolean {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])].some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === "RestartAllContainers"),
  );
}
