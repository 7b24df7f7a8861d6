import {
  applyRule,
  dnsSubdomain,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  qualifiedName,
  required,
  tooLong,
  tooMany,
  validateNonNegative,
} from "@binnacle/apimachinery";
import { validateCounts } from "../../apps/workload-validation.ts";
import { specOf, validatePodTemplateSpec } from "../../core/pod/template.ts";
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from "../../generated/batch-v1.generated.ts";
import { countIndexes, IndexListError } from "./indexes.ts";

const MAX_INDEXED_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
/** Beyond so many completions the following hold, so that the lists of indexes stay short. */
const MANY_COMPLETIONS = 100_000;
const MAX_PARALLELISM_FOR_MANY = 10_000;
const MAX_FAILED_FOR_MANY = 10_000;
const MAX_MANAGED_BY = 63;

/** What holds for jobs and job templates. Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateJobSpec. */
export function validateJobSpec(spec: JobSpec, path: string): FieldError[] {
  const errors = validateCounts<JobSpec>(
    spec,
    [
      "parallelism",
      "completions",
      "activeDeadlineSeconds",
      "backoffLimit",
      "ttlSecondsAfterFinished",
      "backoffLimitPerIndex",
      "maxFailedIndexes",
    ],
    path,
  );
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.push(required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  }
  if (spec.managedBy !== undefined) {
    errors.push(...validateDomainPath(spec.managedBy, `${path}.managedBy`));
    if (spec.managedBy.length > MAX_MANAGED_BY) errors.push(tooLong(`${path}.managedBy`, MAX_MANAGED_BY));
  }
  errors.push(...validateCompletionMode(spec, path));
  for (const [i, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    errors.push(
      ...(i === 0 ? validateRuleCount(spec, `${path}.podFailurePolicy.rules`) : []),
      ...validateFailureRule(rule, spec, `${path}.podFailurePolicy.rules[${i}]`),
    );
  }
  errors.push(...validateSuccessPolicy(spec, `${path}.successPolicy`));
  errors.push(...validateReplacementPolicy(spec, `${path}.podReplacementPolicy`));
  errors.push(...validatePodTemplateSpec(spec.template, `${path}.template`));
  errors.push(...validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`));
  return errors;
}

/** `example.com/name`. Source: apimachinery/pkg/util/validation, IsDomainPrefixedPath. */
function validateDomainPath(value: string, path: string): FieldError[] {
  if (value === "") return [required(path)];
  const slash = value.indexOf("/");
  if (slash <= 0 || slash === value.length - 1) {
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const domain = value.slice(0, slash);
  const errors = applyRule(dnsSubdomain, domain, path);
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(value.slice(slash + 1))) {
    const why = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
    errors.push(invalid(path, value.slice(slash + 1), why));
  }
  return errors;
}

function validateCompletionMode(spec: JobSpec, path: string): FieldError[] {
  const { completionMode = "NonIndexed", completions, parallelism = 0 } = spec;
  const { maxFailedIndexes, backoffLimitPerIndex } = spec;
  const failedPath = `${path}.maxFailedIndexes`;
  const errors: FieldError[] = [];
  if (completionMode !== "NonIndexed" && completionMode !== "Indexed") {
    errors.push(notSupported(`${path}.completionMode`, completionMode, ["NonIndexed", "Indexed"]));
  }
  if (completionMode === "NonIndexed") {
    const why = "requires indexed completion mode";
    if (backoffLimitPerIndex !== undefined) {
      errors.push(invalid(`${path}.backoffLimitPerIndex`, backoffLimitPerIndex, why));
    }
    if (maxFailedIndexes !== undefined) errors.push(invalid(failedPath, maxFailedIndexes, why));
  }
  if (completionMode !== "Indexed") return errors;
  if (completions === undefined) {
    errors.push(required(`${path}.completions`, "when completion mode is Indexed"));
  }
  if (parallelism > MAX_INDEXED_PARALLELISM) {
    const why = `must be less than or equal to ${MAX_INDEXED_PARALLELISM} when completion mode is Indexed`;
    errors.push(invalid(`${path}.parallelism`, parallelism, why));
  }
  if (completions !== undefined && (maxFailedIndexes ?? 0) > completions) {
    errors.push(invalid(failedPath, maxFailedIndexes, "must be less than or equal to completions"));
  }
  if ((maxFailedIndexes ?? 0) > MAX_FAILED_INDEXES) {
    errors.push(invalid(failedPath, maxFailedIndexes, `must be less than or equal to ${MAX_FAILED_INDEXES}`));
  }
  if ((completions ?? 0) > MANY_COMPLETIONS && backoffLimitPerIndex !== undefined) {
    const when = `when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
    if (maxFailedIndexes === undefined) {
      errors.push(required(failedPath, `must be specified when completions is above ${MANY_COMPLETIONS}`));
    }
    if (parallelism > MAX_PARALLELISM_FOR_MANY) {
      const why = `must be less than or equal to ${MAX_PARALLELISM_FOR_MANY} ${when}`;
      errors.push(invalid(`${path}.parallelism`, parallelism, why));
    }
    if ((maxFailedIndexes ?? 0) > MAX_FAILED_FOR_MANY) {
      const why = `must be less than or equal to ${MAX_FAILED_FOR_MANY} ${when}`;
      errors.push(invalid(failedPath, maxFailedIndexes, why));
    }
  }
  return errors;
}

const MAX_RULES = 20;

function validateRuleCount({ podFailurePolicy }: JobSpec, path: string): FieldError[] {
  const count = podFailurePolicy?.rules?.length ?? 0;
  return count > MAX_RULES ? [tooMany(path, count, MAX_RULES)] : [];
}

const ACTIONS: readonly string[] = ["Count", "FailIndex", "FailJob", "Ignore"];

function shown(values: readonly string[]): string {
  return `valid values: [${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}

function validateFailureRule(rule: PodFailurePolicyRule, spec: JobSpec, path: string): FieldError[] {
  const { action = "", onExitCodes, onPodConditions = [] } = rule;
  const errors: FieldError[] = [];
  if (action === "") errors.push(required(`${path}.action`, shown(ACTIONS)));
  else if (action === "FailIndex" && spec.backoffLimitPerIndex === undefined) {
    errors.push(invalid(`${path}.action`, action, "requires the backoffLimitPerIndex to be set"));
  } else if (!ACTIONS.includes(action)) errors.push(notSupported(`${path}.action`, action, ACTIONS));
  if (onExitCodes !== undefined) errors.push(...validateExitCodes(onExitCodes, spec, `${path}.onExitCodes`));
  if (onPodConditions.length > 0) {
    errors.push(...validatePodConditions(onPodConditions, `${path}.onPodConditions`));
  }
  const isOnly = (onExitCodes === undefined) !== (onPodConditions.length === 0);
  if (!isOnly) {
    const why =
      onExitCodes === undefined
        ? "specifying one of OnExitCodes and OnPodConditions is required"
        : "specifying both OnExitCodes and OnPodConditions is not supported";
    errors.push({ type: "FieldValueInvalid", path, body: `Invalid value: ${why}` });
  }
  return errors;
}

const CONDITION_STATUSES: readonly string[] = ["False", "True", "Unknown"];
const MAX_PATTERNS = 20;

function validatePodConditions(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: string,
): FieldError[] {
  const errors = patterns.length > MAX_PATTERNS ? [tooMany(path, patterns.length, MAX_PATTERNS)] : [];
  for (const [i, { type = "", status = "" }] of patterns.entries()) {
    const at = `${path}[${i}]`;
    errors.push(...applyRule(qualifiedName, type, `${at}.type`));
    if (status === "") errors.push(required(`${at}.status`, shown(CONDITION_STATUSES)));
    else if (!CONDITION_STATUSES.includes(status)) {
      errors.push(notSupported(`${at}.status`, status, CONDITION_STATUSES));
    }
  }
  return errors;
}

const OPERATORS: readonly string[] = ["In", "NotIn"];
const MAX_EXIT_CODES = 255;

function validateExitCodes(
  { operator = "", containerName, values: given }: PodFailurePolicyOnExitCodesRequirement,
  spec: JobSpec,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const values = given ?? []; // Decoding writes an empty list as null, here and below.
  if (operator === "") errors.push(required(`${path}.operator`, shown(OPERATORS)));
  else if (!OPERATORS.includes(operator)) errors.push(notSupported(`${path}.operator`, operator, OPERATORS));
  const { containers, initContainers } = specOf(spec.template);
  const all = [...(containers ?? []), ...(initContainers ?? [])];
  if (containerName !== undefined && !all.some(({ name }) => name === containerName)) {
    const why = "must be one of the container or initContainer names in the pod template";
    errors.push(invalid(`${path}.containerName`, containerName, why));
  }
  const at = `${path}.values`;
  if (values.length === 0) errors.push(invalid(at, null, "at least one value is required"));
  else if (values.length > MAX_EXIT_CODES) errors.push(tooMany(at, values.length, MAX_EXIT_CODES));
  const seen = new Set<number>();
  for (const [i, value] of values.entries()) {
    if (operator === "In" && value === 0) {
      errors.push(invalid(`${at}[${i}]`, value, "must not be 0 for the In operator"));
    }
    if (seen.has(value)) errors.push(duplicate(`${at}[${i}]`, value));
    seen.add(value);
  }
  if (values.some((value, i) => i > 0 && (values[i - 1] ?? 0) > value)) {
    errors.push(invalid(at, values, "must be ordered"));
  }
  return errors;
}

function validateSuccessPolicy(spec: JobSpec, path: string): FieldError[] {
  const { successPolicy } = spec;
  if (successPolicy === undefined) return [];
  const rules = successPolicy.rules ?? [];
  if (spec.completionMode !== "Indexed") {
    const value = {
      Rules: rules.map(({ succeededIndexes, succeededCount }) => ({
        SucceededIndexes: succeededIndexes ?? null,
        SucceededCount: succeededCount ?? null,
      })),
    };
    return [invalid(path, value, "requires indexed completion mode")];
  }
  const at = `${path}.rules`;
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    errors.push(required(at, "at least one rules must be specified when the successPolicy is specified"));
  }
  if (rules.length > MAX_RULES) errors.push(tooMany(at, rules.length, MAX_RULES));
  for (const [i, rule] of rules.entries()) {
    errors.push(...validateSuccessRule(rule, spec.completions ?? 0, `${at}[${i}]`));
  }
  return errors;
}

const MAX_INDEX_LIST = 64 * 1024;

function validateSuccessRule(
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  completions: number,
  path: string,
): FieldError[] {
  if (succeededCount === undefined && succeededIndexes === undefined) {
    return [required(path, "at least one of succeededCount or succeededIndexes must be specified")];
  }
  const errors: FieldError[] = [];
  let total = 0;
  if (succeededIndexes !== undefined) {
    const at = `${path}.succeededIndexes`;
    if (succeededIndexes.length > MAX_INDEX_LIST) errors.push(tooLong(at, MAX_INDEX_LIST));
    try {
      total = countIndexes(succeededIndexes, completions);
    } catch (error) {
      if (!(error instanceof IndexListError)) throw error;
      errors.push(invalid(at, succeededIndexes, `error parsing succeededIndexes: ${error.message}`));
    }
  }
  if (succeededCount === undefined) return errors;
  const at = `${path}.succeededCount`;
  errors.push(...validateNonNegative(succeededCount, at));
  if (succeededCount > completions) {
    const why = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(invalid(at, succeededCount, why));
  }
  if (succeededIndexes !== undefined && succeededCount > total) {
    const why = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`;
    errors.push(invalid(at, succeededCount, why));
  }
  return errors;
}

function validateReplacementPolicy(spec: JobSpec, path: string): FieldError[] {
  const policy = spec.podReplacementPolicy;
  const supported = spec.podFailurePolicy === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  return policy === undefined || supported.includes(policy) ? [] : [notSupported(path, policy, supported)];
}

function validateRestartPolicy(spec: JobSpec, path: string): FieldError[] {
  const policy = specOf(spec.template).restartPolicy ?? "";
  if (policy === "" || policy === "Always") return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") {
    return [notSupported(path, policy, ["OnFailure", "Never"])];
  }
  if (spec.podFailurePolicy === undefined || policy === "Never") return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
