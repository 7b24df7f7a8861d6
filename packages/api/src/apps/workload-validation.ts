import {
  type FieldError,
  invalid,
  percent,
  required,
  validateLabelSelector,
  validateNonNegative,
} from "@binnacle/apimachinery";
import {
  selectorTest,
  shownSelector,
  validateLongRunning,
  validatePodTemplateSpec,
  validateSelected,
} from "../core/pod/template.ts";
import type { PodTemplateSpec } from "../generated/core-v1.generated.ts";
import type { LabelSelector } from "../generated/meta-v1.generated.ts";

/** The parts of a workload that select pods and make them. */
export interface SelectedTemplate {
  /** Decoding writes a missing one as null. */
  readonly selector: LabelSelector | null | undefined;
  readonly template: PodTemplateSpec | undefined;
  /** The kind an empty selector is reported with, in lower case. */
  readonly kind: string;
}

/** Present, well formed and not empty. */
export function validateOwnSelector({ selector, kind }: SelectedTemplate, path: string): FieldError[] {
  if (selector === undefined || selector === null) return [required(path)];
  const errors = validateLabelSelector(selector, path);
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) {
    errors.push(invalid(path, selector, `empty selector is invalid for ${kind}`));
  }
  return errors;
}

/**
 * Selector and template of a Deployment or ReplicaSet.
 *
 * Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidatePodTemplateSpecForReplicaSet.
 */
export function validateReplicated(parts: SelectedTemplate, path: string): FieldError[] {
  const errors = validateOwnSelector(parts, `${path}.selector`);
  const selects = selectorTest(parts.selector);
  if (selects === undefined) {
    return [...errors, invalid(`${path}.selector`, shownSelector(parts.selector), "invalid label selector")];
  }
  const at = `${path}.template`;
  return [
    ...errors,
    ...validateSelected(selects, parts.template, at),
    ...validatePodTemplateSpec(parts.template, at),
    ...validateLongRunning(parts.template, "ReplicaSet", at),
  ];
}

/** No number of these is negative. */
export function validateCounts<T extends object>(
  object: T,
  fields: readonly (keyof T & string)[],
  path: string,
): FieldError[] {
  return fields.flatMap((field) => {
    const value = object[field];
    return typeof value === "number" ? validateNonNegative(value, `${path}.${field}`) : [];
  });
}

/** Counts of a status that cannot be more than another. */
export function validateAtMost<T extends object>(
  status: T,
  fields: readonly (keyof T & string)[],
  limit: keyof T & string,
  detail: string,
): FieldError[] {
  const count = (field: keyof T & string): number => {
    const value = status[field];
    return typeof value === "number" ? value : 0;
  };
  return fields.flatMap((field) =>
    count(field) > count(limit) ? [invalid(`status.${field}`, count(field), detail)] : [],
  );
}

/** `collisionCount` only grows: names are made from it. */
export function validateCollisionCount(
  now: number | undefined,
  before: number | undefined,
  path = "status.collisionCount",
): FieldError[] {
  if (before === undefined || (now !== undefined && now >= before)) return [];
  return [invalid(path, now ?? 0, "cannot be decremented")];
}

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidatePositiveIntOrPercent. */
export function validateIntOrPercent(value: number | string | undefined, path: string): FieldError[] {
  if (typeof value === "string") return percent(value).map((problem) => invalid(path, value, problem));
  return validateNonNegative(value, path);
}

/** Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, IsNotMoreThan100Percent. */
export function validateAtMostAll(value: number | string | undefined, path: string): FieldError[] {
  if (typeof value !== "string" || percent(value).length > 0 || Number(value.slice(0, -1)) <= 100) return [];
  return [invalid(path, value, "must not be greater than 100%")];
}

/** The number, whether a count or a percentage. Text that is neither counts as 0. */
export function intOrPercentValue(value: number | string | undefined): number {
  if (typeof value !== "string") return value ?? 0;
  const text = percent(value).length === 0 ? value.slice(0, -1) : value;
  return /^[-+]?\d+$/.test(text) ? Number(text) : 0;
}
