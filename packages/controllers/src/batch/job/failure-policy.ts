/**
 * What a Job's policies make of failed pods and completed indexes: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/job/pod_failure_policy.go and success_policy.go.
 */
import type {
  ContainerStatus,
  Pod,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  SuccessPolicy,
} from "@binnacle/api";
import { countCommon, countIndexes, type IndexRanges, parseIndexes } from "./index-ranges.ts";

export interface FailureVerdict {
  /** The Job fails as a whole, for this reason. */
  readonly failJob?: string;
  /** The pod's index fails, without further tries. */
  readonly failIndex: boolean;
  /** The failure counts towards the limit. */
  readonly isCounted: boolean;
}

const COUNTED: FailureVerdict = { failIndex: false, isCounted: true };

/** The first rule that fits decides; without one a failure counts. */
export function judgeFailure(policy: PodFailurePolicy | undefined, pod: Pod): FailureVerdict {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const { namespace, name } = pod.metadata;
    let what: string | undefined;
    if (rule.onExitCodes !== undefined) {
      const container = failedContainer(pod, rule.onExitCodes);
      if (container !== undefined)
        what = `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${container.state?.terminated?.exitCode}`;
    } else {
      const condition = matchingCondition(pod, rule.onPodConditions ?? []);
      if (condition !== undefined) what = `Pod ${namespace}/${name} has condition ${condition}`;
    }
    if (what === undefined) continue;
    switch (rule.action) {
      case "FailJob":
        return { ...COUNTED, failJob: `${what} matching ${rule.action} rule at index ${index}` };
      case "FailIndex":
        return { failIndex: true, isCounted: true };
      case "Ignore":
        return { failIndex: false, isCounted: false };
      case "Count":
        return COUNTED;
    }
  }
  return COUNTED;
}

function failedContainer(
  pod: Pod,
  { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement,
): ContainerStatus | undefined {
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  return statuses.find(({ name, state }) => {
    const exitCode = state?.terminated?.exitCode ?? 0;
    if (exitCode === 0 || (containerName !== undefined && containerName !== name)) return false;
    return values.includes(exitCode) === (operator === "In");
  });
}

function matchingCondition(
  pod: Pod,
  patterns: readonly { readonly type: string; readonly status?: string }[],
): string | undefined {
  return pod.status?.conditions?.find((condition) =>
    patterns.some(
      (pattern) => pattern.type === condition.type && (pattern.status ?? "True") === condition.status,
    ),
  )?.type;
}

/** Why the completed indexes are enough, if a rule says so. */
export function judgeSuccess(
  policy: SuccessPolicy | undefined,
  completions: number,
  succeeded: IndexRanges,
): string | undefined {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    let isMet: boolean;
    if (rule.succeededIndexes !== undefined) {
      const wanted = parseIndexes(rule.succeededIndexes, completions);
      isMet = countCommon(wanted, succeeded) >= (rule.succeededCount ?? countIndexes(wanted));
    } else {
      isMet = rule.succeededCount !== undefined && countIndexes(succeeded) >= rule.succeededCount;
    }
    if (isMet) return `Matched rules at index ${index}`;
  }
  return undefined;
}
