import { duplicate, type FieldError, invalid, required } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { validateCounts } from "../../apps/workload-validation.ts";
import type { Job, JobStatus } from "../../generated/batch-v1.generated.ts";
import { countIndexes, firstCommonIndex, IndexListError } from "./indexes.ts";

const CONDITIONS = "status.conditions";

/** An error that shows no value: the list would be long and no help. */
function refuse(path: string, why: string): FieldError {
  return { type: "FieldValueInvalid", path, body: `Invalid value: ${why}` };
}

/** Whether the job has the condition with status True. */
export function hasJobCondition({ status }: Job, type: string): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true
  );
}

/** Whether the job has ended, well or badly. */
export function isJobFinished(job: Job): boolean {
  return hasJobCondition(job, "Complete") || hasJobCondition(job, "Failed");
}

/**
 * The rules that hold a job's status together. Most are asked only when what they are about has changed, so that a job
 * that breaks one can still be repaired.
 *
 * Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateJobStatusUpdate, and
 * pkg/registry/batch/job/strategy.go, getStatusValidationOptions.
 */
export function validateJobStatus(updated: Job, old: Job): FieldError[] {
  return [
    ...validateCounts<JobStatus>(
      updated.status ?? {},
      ["active", "succeeded", "failed", "ready", "terminating"],
      "status",
    ),
    ...validateUncounted(updated),
    ...validateConditionPairs(updated, old),
    ...validateTimes(updated, old),
    ...validateTargets(updated, old),
    ...validateFinished(updated, old),
    ...validateIndexLists(updated, old),
    ...validateSuccessCriteria(updated),
    ...validateProgress(updated, old),
  ];
}

function validateUncounted({ status }: Job): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"] as const) {
    for (const [i, uid] of (status?.uncountedTerminatedPods?.[list] ?? []).entries()) {
      const path = `status.uncountedTerminatedPods.${list}[${i}]`;
      if (uid === "") errors.push(invalid(path, uid, "must not be empty"));
      else if (seen.has(uid)) errors.push(duplicate(path, uid));
      seen.add(uid);
    }
  }
  return errors;
}

function hasChanged(updated: Job, old: Job, ...types: readonly string[]): boolean {
  return types.some((type) => hasJobCondition(updated, type) !== hasJobCondition(old, type));
}

function validateConditionPairs(updated: Job, old: Job): FieldError[] {
  const errors: FieldError[] = [];
  if (!hasJobCondition(updated, "Complete")) return errors;
  if (hasChanged(updated, old, "Complete", "Failed") && hasJobCondition(updated, "Failed")) {
    errors.push(refuse(CONDITIONS, "cannot set Complete=True and Failed=true conditions"));
  }
  if (hasChanged(updated, old, "Complete", "FailureTarget") && hasJobCondition(updated, "FailureTarget")) {
    errors.push(refuse(CONDITIONS, "cannot set Complete=True and FailureTarget=true conditions"));
  }
  return errors;
}

function validateTimes(updated: Job, old: Job): FieldError[] {
  const { startTime, completionTime } = updated.status ?? {};
  const completionChanged = completionTime !== old.status?.completionTime;
  const isComplete = hasJobCondition(updated, "Complete");
  const errors: FieldError[] = [];
  const path = "status.completionTime";
  if (hasChanged(updated, old, "Complete") || completionChanged) {
    if (completionTime !== undefined && !isComplete) {
      const why = "cannot set completionTime when there is no Complete=True condition";
      errors.push(invalid(path, completionTime, why));
    }
    if (completionTime === undefined && isComplete) {
      errors.push(required(path, "completionTime is required for Complete jobs"));
    }
  }
  const anyChanged = completionChanged || startTime !== old.status?.startTime;
  if (anyChanged && startTime !== undefined && completionTime !== undefined && completionTime < startTime) {
    errors.push(invalid(path, completionTime, "must be equal to or after `startTime`"));
  }
  return errors;
}

function validateTargets(updated: Job, old: Job): FieldError[] {
  const errors: FieldError[] = [];
  if (
    hasChanged(updated, old, "Failed") &&
    hasJobCondition(updated, "Failed") &&
    !hasJobCondition(updated, "FailureTarget")
  ) {
    const why = "cannot set Failed=True condition without the FailureTarget=true condition";
    errors.push(refuse(CONDITIONS, why));
  }
  if (
    hasChanged(updated, old, "Complete") &&
    hasJobCondition(updated, "Complete") &&
    !hasJobCondition(updated, "SuccessCriteriaMet")
  ) {
    const why = "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
    errors.push(refuse(CONDITIONS, why));
  }
  return errors;
}

function validateFinished(updated: Job, old: Job): FieldError[] {
  const { active = 0, startTime, uncountedTerminatedPods, terminating = 0, ready } = updated.status ?? {};
  const before = old.status ?? {};
  const errors: FieldError[] = [];
  const finished = isJobFinished(updated);
  const finishing = finished !== isJobFinished(old);
  if (finished) {
    if (active > 0 && (finishing || active !== (before.active ?? 0))) {
      errors.push(invalid("status.active", active, "active>0 is invalid for finished job"));
    }
    if (startTime === undefined && (finishing || before.startTime !== undefined)) {
      errors.push(required("status.startTime", "startTime is required for finished job"));
    }
    const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
    const changed = !jsonEquals(uncountedTerminatedPods, before.uncountedTerminatedPods);
    if (succeeded.length + failed.length > 0 && (finishing || changed)) {
      const shown = {
        Succeeded: succeeded.length === 0 ? null : succeeded,
        Failed: failed.length === 0 ? null : failed,
      };
      errors.push(invalid("status.uncountedTerminatedPods", shown, "must be empty for finished job"));
    }
    if (terminating > 0 && (finishing || terminating !== before.terminating)) {
      errors.push(invalid("status.terminating", terminating, "terminating>0 is invalid for finished job"));
    }
  }
  const readyChanged = ready !== before.ready || active !== (before.active ?? 0);
  if (ready !== undefined && ready > active && readyChanged) {
    errors.push(invalid("status.ready", ready, "cannot set more ready pods than active"));
  }
  return errors;
}

function validateIndexLists(updated: Job, old: Job): FieldError[] {
  const { completionMode, completions, backoffLimitPerIndex } = updated.spec;
  const { completedIndexes = "", failedIndexes } = updated.status ?? {};
  const completedChanged = completedIndexes !== (old.status?.completedIndexes ?? "");
  const failedChanged = failedIndexes !== old.status?.failedIndexes;
  const errors: FieldError[] = [];
  const check = (list: string, field: string): void => {
    try {
      countIndexes(list, completions ?? 0);
    } catch (error) {
      if (!(error instanceof IndexListError)) throw error;
      errors.push(invalid(`status.${field}`, list, `error parsing ${field}: ${error.message}`));
    }
  };
  if (completedChanged && completions !== undefined) check(completedIndexes, "completedIndexes");
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined) {
    check(failedIndexes ?? "", "failedIndexes");
  }
  if (completedChanged && completedIndexes !== "" && completionMode !== "Indexed") {
    const why = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.push(invalid("status.completedIndexes", completedIndexes, why));
  }
  if (failedIndexes === undefined) return errors;
  if (failedChanged && backoffLimitPerIndex === undefined) {
    const why = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(invalid("status.failedIndexes", failedIndexes, why));
  }
  if ((failedChanged || completedChanged) && completions !== undefined) {
    const common = firstCommonIndex(completedIndexes, failedIndexes, completions);
    if (common !== undefined) {
      const why = `failedIndexes and completedIndexes overlap at index: ${common}`;
      errors.push(invalid("status.failedIndexes", failedIndexes, why));
    }
  }
  return errors;
}

function validateSuccessCriteria(job: Job): FieldError[] {
  const errors: FieldError[] = [];
  const met = hasJobCondition(job, "SuccessCriteriaMet");
  if (met && hasJobCondition(job, "Failed")) {
    errors.push(refuse(CONDITIONS, "cannot set SuccessCriteriaMet=True and Failed=true conditions"));
  }
  if (met && hasJobCondition(job, "FailureTarget")) {
    errors.push(refuse(CONDITIONS, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"));
  }
  if (job.spec.successPolicy !== undefined && !met && hasJobCondition(job, "Complete")) {
    const why = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
    errors.push(refuse(CONDITIONS, why));
  }
  return errors;
}

/** What only goes forward. */
function validateProgress(updated: Job, old: Job): FieldError[] {
  const { failed = 0, succeeded = 0, completionTime, startTime } = updated.status ?? {};
  const before = old.status ?? {};
  const errors: FieldError[] = [];
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (hasJobCondition(old, type) && !hasJobCondition(updated, type)) {
      errors.push(refuse(CONDITIONS, `cannot disable the terminal ${type}=True condition`));
    }
  }
  if (failed < (before.failed ?? 0)) {
    errors.push(invalid("status.failed", failed, "cannot decrease the failed counter"));
  }
  const { completionMode, completions, parallelism, suspend } = updated.spec;
  const mayShrink = completionMode === "Indexed" && completions === parallelism;
  if (!mayShrink && succeeded < (before.succeeded ?? 0)) {
    errors.push(invalid("status.succeeded", succeeded, "cannot decrease the succeeded counter"));
  }
  const completedAt = before.completionTime;
  if (completionTime !== undefined && completedAt !== undefined && completionTime !== completedAt) {
    errors.push(invalid("status.completionTime", completionTime, "field is immutable"));
  }
  if (before.startTime !== undefined && before.startTime !== startTime && suspend !== true) {
    const why = "field is immutable for unsuspended job once set";
    errors.push(invalid("status.startTime", startTime ?? null, why));
  }
  const wasMet = hasJobCondition(old, "SuccessCriteriaMet");
  const isMet = hasJobCondition(updated, "SuccessCriteriaMet");
  if (wasMet && !isMet) {
    errors.push(refuse(CONDITIONS, "cannot disable the SuccessCriteriaMet=True condition"));
  }
  if (hasJobCondition(old, "Complete") && !wasMet && isMet) {
    const why = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    errors.push(refuse(CONDITIONS, why));
  }
  return errors;
}
