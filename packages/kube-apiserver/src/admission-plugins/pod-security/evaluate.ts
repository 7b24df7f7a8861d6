import { BASELINE_CHECKS } from "./baseline-checks.ts";
import type { Check, CheckedPod, CheckPod, Violation } from "./check.ts";
import type { LevelVersion } from "./policy.ts";
import { RESTRICTED_CHECKS } from "./restricted-checks.ts";

/**
 * What keeps the pod from a level: first the checks of `baseline`, then those of `restricted`.
 *
 * Source: kubernetes v1.36 pod-security-admission/policy/registry.go.
 */
export function evaluate(pod: CheckedPod, { level, minor }: LevelVersion): Violation[] {
  if (level === "privileged") return [];
  const strict =
    level === "restricted" ? RESTRICTED_CHECKS.filter((check) => versionOf(check, minor) !== undefined) : [];
  const overridden = new Set(strict.map(({ overrides }) => overrides));
  const checks = [...BASELINE_CHECKS.filter(({ id }) => !overridden.has(id)), ...strict];
  return checks.flatMap((check) => versionOf(check, minor)?.(pod) ?? []);
}

/** In a few words, for many pods. */
export function formatReasons(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}

/** With what exactly is wrong, for one pod. */
export function formatDetails(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}

function versionOf(check: Check, minor: number): CheckPod | undefined {
  return check.versions.findLast(({ since }) => since <= minor)?.check;
}
