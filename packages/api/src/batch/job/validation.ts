import {
  dnsLabel,
  FIELD_IMMUTABLE,
  type FieldError,
  invalid,
  labelSelectorFromObject,
  matchLabels,
  required,
  StatusError,
  validateImmutable,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { internalPodSpec, internalPodTemplate } from "../../core/pod/internal-form.ts";
import {
  selectorTest,
  shownSelector,
  specOf,
  validateSameSelector,
  validateSelected,
} from "../../core/pod/template.ts";
import type { Job, JobSpec } from "../../generated/batch-v1.generated.ts";
import type { PodSpec, PodTemplateSpec } from "../../generated/core-v1.generated.ts";
import { validateJobSpec } from "./spec-validation.ts";
import {
  CONTROLLER_UID_LABEL,
  JOB_NAME_LABEL,
  LEGACY_CONTROLLER_UID_LABEL,
  LEGACY_JOB_NAME_LABEL,
} from "./strategy.ts";

/** Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, ValidateJob. */
export function validateJob(job: Job): FieldError[] {
  return validateContent(job, true);
}

function validateContent(job: Job, needsPrefixedLabels: boolean): FieldError[] {
  const { metadata, spec } = job;
  const errors = [
    ...validateGeneratedSelector(job, needsPrefixedLabels),
    ...validateJobSpec(spec, "spec"),
    ...validateSelector(spec),
  ];
  if (spec.completionMode === "Indexed" && (spec.completions ?? 0) > 0) {
    const last = `${metadata.name ?? ""}-${(spec.completions ?? 0) - 1}`;
    if (dnsLabel(last).length > 0) {
      const why = `will not able to create pod with invalid DNS label: ${last}`;
      errors.push(invalid("metadata.name", metadata.name ?? "", why));
    }
  }
  return errors;
}

function validateSelector({ selector, template }: JobSpec): FieldError[] {
  const errors =
    selector === undefined ? [required("spec.selector")] : validateLabelSelector(selector, "spec.selector");
  const selects = selectorTest(selector);
  if (selects !== undefined) errors.push(...validateSelected(selects, template, "spec.template"));
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateGeneratedSelector. */
function validateGeneratedSelector({ metadata, spec }: Job, needsPrefixedLabels: boolean): FieldError[] {
  if (spec.manualSelector === true || spec.selector === undefined) return [];
  const { name = "", uid = "" } = metadata;
  const errors = uid === "" ? [required("metadata.uid")] : [];
  const expected: Record<string, string> = {
    [LEGACY_CONTROLLER_UID_LABEL]: uid,
    [LEGACY_JOB_NAME_LABEL]: name,
    ...(needsPrefixedLabels ? { [CONTROLLER_UID_LABEL]: uid, [JOB_NAME_LABEL]: name } : {}),
  };
  for (const [key, value] of Object.entries(expected)) {
    errors.push(...validateHasLabel(spec.template, key, value));
  }
  try {
    if (!matchLabels(labelSelectorFromObject(spec.selector), expected)) {
      errors.push(invalid("spec.selector", shownSelector(spec.selector), "`selector` not auto-generated"));
    }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error; // A selector that is no selector is reported elsewhere.
  }
  return errors;
}

function validateHasLabel(template: PodTemplateSpec | undefined, key: string, value: string): FieldError[] {
  const labels = template?.metadata?.labels ?? {};
  const at = `spec.template.metadata.labels[${key}]`;
  if (!Object.hasOwn(labels, key)) return [required(at, `must be '${value}'`)];
  return labels[key] === value ? [] : [invalid(at, labels, `must be '${value}'`)];
}

/** Source: kubernetes v1.36 pkg/registry/batch/job/strategy.go, ValidateUpdate. */
export function validateJobUpdate(updated: Job, old: Job): FieldError[] {
  const labels = old.spec.template?.metadata?.labels ?? {};
  const needsPrefixedLabels =
    Object.hasOwn(labels, JOB_NAME_LABEL) && Object.hasOwn(labels, CONTROLLER_UID_LABEL);
  const { spec } = updated;
  const before = old.spec;
  // Upstream checks the spec a second time here; the same error twice is shown once.
  return [
    ...validateContent(updated, needsPrefixedLabels),
    ...validateCompletions(spec, before),
    ...validateSameSelector(spec.selector, before.selector),
    ...validateTemplateUpdate(updated, old),
    ...validateImmutable(spec.completionMode, before.completionMode, "spec.completionMode"),
    ...validateImmutable(spec.podFailurePolicy, before.podFailurePolicy, "spec.podFailurePolicy"),
    ...validateImmutable(spec.backoffLimitPerIndex, before.backoffLimitPerIndex, "spec.backoffLimitPerIndex"),
    ...validateImmutable(spec.managedBy, before.managedBy, "spec.managedBy"),
    ...validateImmutable(spec.successPolicy, before.successPolicy, "spec.successPolicy"),
  ];
}

/** An Indexed job may be made larger or smaller, with as many pods at once as completions. */
function validateCompletions(spec: JobSpec, before: JobSpec): FieldError[] {
  const path = "spec.completions";
  if (spec.completionMode !== "Indexed") return validateImmutable(spec.completions, before.completions, path);
  if (spec.completions === undefined || spec.completions === before.completions) return [];
  if (spec.completions === spec.parallelism) return [];
  return [invalid(path, spec.completions, "can only be modified in tandem with spec.parallelism")];
}

/**
 * The template changes only while the job is suspended: where its pods may run until it has started once, and what
 * their containers ask for.
 *
 * Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validatePodTemplateUpdate.
 */
function validateTemplateUpdate(updated: Job, old: Job): FieldError[] {
  const template = updated.spec.template;
  const suspended = old.spec.suspend === true;
  const before =
    suspended && old.status?.startTime === undefined
      ? withSchedulingOf(old.spec.template, template)
      : old.spec.template;
  if (!suspended) {
    if (jsonEquals(template, before)) return [];
    return [invalid("spec.template", internalPodTemplate(template), FIELD_IMMUTABLE)];
  }
  const spec = specOf(template);
  if (jsonEquals(spec, withResourcesOf(specOf(before), spec))) return [];
  return [invalid("spec.template.spec", internalPodSpec(spec), FIELD_IMMUTABLE)];
}

function withSchedulingOf(old: PodTemplateSpec, updated: PodTemplateSpec): PodTemplateSpec {
  const { nodeSelector, tolerations, schedulingGates, affinity } = specOf(updated);
  const {
    nodeSelector: _n,
    tolerations: _t,
    schedulingGates: _g,
    affinity: oldAffinity,
    ...spec
  } = specOf(old);
  const { labels: _l, annotations: _a, ...metadata } = old.metadata ?? {};
  const { labels, annotations } = updated.metadata ?? {};
  const { nodeAffinity: _, ...others } = oldAffinity ?? {};
  const mergedAffinity =
    affinity === undefined
      ? others
      : {
          ...others,
          ...(affinity.nodeAffinity === undefined ? {} : { nodeAffinity: affinity.nodeAffinity }),
        };
  const hasAffinity = affinity !== undefined || Object.keys(others).length > 0;
  return {
    ...old,
    metadata: {
      ...metadata,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      ...spec,
      ...(nodeSelector === undefined ? {} : { nodeSelector }),
      ...(tolerations === undefined ? {} : { tolerations }),
      ...(schedulingGates === undefined ? {} : { schedulingGates }),
      ...(hasAffinity ? { affinity: mergedAffinity } : {}),
    },
  };
}

function withResourcesOf(old: PodSpec, updated: PodSpec): PodSpec {
  const merged: PodSpec = { ...old };
  for (const list of ["containers", "initContainers"] as const) {
    const now = updated[list] ?? [];
    const before = old[list] ?? [];
    if (now.length !== before.length || before.length === 0) continue;
    merged[list] = before.map((container, i) => {
      const same = now[i];
      if (same?.name !== container.name) return container;
      const { resources: _, ...rest } = container;
      return { ...rest, ...(same.resources === undefined ? {} : { resources: same.resources }) };
    });
  }
  return merged;
}
