import {
  type FieldError,
  forbiddenField,
  invalid,
  labelSelectorFromObject,
  matchLabels,
  notSupported,
  type Schema,
  StatusError,
  sortMaps,
  validateAnnotations,
  validateImmutable,
  validateLabels,
} from "@binnacle/apimachinery";
import type { PodSpec, PodTemplateSpec } from "../../generated/core-v1.generated.ts";
import type { LabelSelector } from "../../generated/meta-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import {
  validateAppArmorMatches,
  validatePodAnnotations,
  validateSeccompMatches,
} from "./validate-annotations.ts";
import { validatePodSpec } from "./validate-pod-spec.ts";

/** The spec of a template; an empty one where there is none, as in Go. Validation reports what it lacks. */
export function specOf(template: PodTemplateSpec | undefined): PodSpec {
  return template?.spec ?? ({} as PodSpec);
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodTemplateSpec. */
export function validatePodTemplateSpec(template: PodTemplateSpec | undefined, path: string): FieldError[] {
  const { labels, annotations } = template?.metadata ?? {};
  const spec = specOf(template);
  const errors = [
    ...validateLabels(labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...validatePodAnnotations(annotations, spec, `${path}.annotations`),
    ...validatePodSpec(spec, { path: `${path}.spec` }),
    ...validateSeccompMatches(annotations, spec, `${path}.spec`),
    ...validateAppArmorMatches(annotations, spec, `${path}.spec`),
  ];
  if (spec.ephemeralContainers?.length) {
    const why = "ephemeral containers not allowed in pod template";
    errors.push(forbiddenField(`${path}.spec.ephemeralContainers`, why));
  }
  return errors;
}

/** A selector as messages show it. */
export function shownSelector(selector: LabelSelector | null | undefined): unknown {
  return sortMaps(builtinSchema("meta.v1.LabelSelector"), selector);
}

/** An error when a selector changes that may not. */
export function validateSameSelector(
  updated: LabelSelector | null | undefined,
  old: LabelSelector | null | undefined,
): FieldError[] {
  return validateImmutable(shownSelector(updated), shownSelector(old), "spec.selector");
}

/**
 * The selector as a test of labels; undefined when it is not a valid selector. A missing selector selects nothing.
 */
export function selectorTest(
  selector: LabelSelector | null | undefined,
): ((labels: Readonly<Record<string, string>> | undefined) => boolean) | undefined {
  try {
    const matcher = labelSelectorFromObject(selector);
    return (labels) => matchLabels(matcher, labels);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

const LABELS: Schema = { type: "map", values: { type: "string" } };
const MISMATCH = "`selector` does not match template `labels`";

/** An error when the template makes pods that its owner would not find. */
export function validateSelected(
  selects: (labels: Readonly<Record<string, string>> | undefined) => boolean,
  template: PodTemplateSpec | undefined,
  path: string,
): FieldError[] {
  const labels = template?.metadata?.labels;
  if (selects(labels)) return [];
  return [invalid(`${path}.metadata.labels`, sortMaps(LABELS, labels), MISMATCH)];
}

/** Pods that are replaced when they end must not end by themselves. `kind` is the owner's, for the message. */
export function validateLongRunning(
  template: PodTemplateSpec | undefined,
  kind: string,
  path: string,
): FieldError[] {
  const { restartPolicy = "", activeDeadlineSeconds } = specOf(template);
  const errors: FieldError[] = [];
  if (restartPolicy !== "Always") {
    errors.push(notSupported(`${path}.spec.restartPolicy`, restartPolicy, ["Always"]));
  }
  if (activeDeadlineSeconds !== undefined) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbiddenField(`${path}.spec.activeDeadlineSeconds`, why));
  }
  return errors;
}
