import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  invalid,
  labelValue,
  required,
  validateLabelKey,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import type {
  Affinity,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
} from "../../generated/core-v1.generated.ts";
import type { LabelSelector } from "../../generated/meta-v1.generated.ts";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateAffinity. */
export function validateAffinity(affinity: Affinity | undefined, path: string): FieldError[] {
  if (affinity === undefined) return [];
  return [
    ...validateNodeAffinity(affinity.nodeAffinity, `${path}.nodeAffinity`),
    ...validatePodAffinity(affinity.podAffinity, `${path}.podAffinity`),
    ...validatePodAffinity(affinity.podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

function validateNodeAffinity(affinity: NodeAffinity | undefined, path: string): FieldError[] {
  const needed = affinity?.[REQUIRED];
  const errors = needed === undefined ? [] : validateNodeSelector(needed, `${path}.${REQUIRED}`);
  for (const [i, { weight = 0, preference }] of (affinity?.[PREFERRED] ?? []).entries()) {
    const at = `${path}.${PREFERRED}[${i}]`;
    errors.push(...validateWeight(weight, at));
    errors.push(...validateTerm(preference ?? {}, `${at}.preference`, { checkValues: false }));
  }
  return errors;
}

function validateWeight(weight: number, path: string): FieldError[] {
  return weight > 0 && weight <= 100 ? [] : [invalid(`${path}.weight`, weight, "must be in the range 1-100")];
}

/** Also for volumes. Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateNodeSelector. */
export function validateNodeSelector(selector: NodeSelector, path: string): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(at, "must have at least one node selector term")];
  return terms.flatMap((term, i) => validateTerm(term, `${at}[${i}]`, { checkValues: true }));
}

function validateTerm(term: NodeSelectorTerm, path: string, options: { checkValues: boolean }): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((requirement, i) =>
      validateRequirement(requirement, `${path}.matchExpressions[${i}]`, options),
    ),
    ...(term.matchFields ?? []).flatMap((requirement, i) =>
      validateFieldRequirement(requirement, `${path}.matchFields[${i}]`),
    ),
  ];
}

function validateRequirement(
  { key = "", operator = "", values = [] }: NodeSelectorRequirement,
  path: string,
  { checkValues }: { checkValues: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const at = `${path}.values`;
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      errors.push(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbiddenField(at, why));
    }
  } else if (operator === "Gt" || operator === "Lt") {
    if (values.length !== 1) {
      errors.push(required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    }
  } else {
    errors.push(invalid(`${path}.operator`, operator, "not a valid selector operator"));
  }
  errors.push(...validateLabelKey(key, `${path}.key`));
  if (checkValues) {
    errors.push(...values.flatMap((value, i) => applyRule(labelValue, value, `${at}[${i}]`)));
  }
  return errors;
}

/** Nodes can be selected by name only. Source: validation.go, ValidateNodeFieldSelectorRequirement. */
function validateFieldRequirement(
  { key = "", operator = "", values = [] }: NodeSelectorRequirement,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(invalid(`${path}.operator`, operator, "not a valid selector operator"));
  } else if (values.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, why));
  }
  if (key !== "metadata.name") {
    errors.push(invalid(`${path}.key`, key, "not a valid field selector key"));
  } else {
    errors.push(...values.flatMap((value, i) => applyRule(dnsSubdomain, value, `${path}.values[${i}]`)));
  }
  return errors;
}

function validatePodAffinity(affinity: PodAffinity | undefined, path: string): FieldError[] {
  const errors = (affinity?.[REQUIRED] ?? []).flatMap((term, i) =>
    validatePodTerm(term, `${path}.${REQUIRED}[${i}]`),
  );
  for (const [i, { weight = 0, podAffinityTerm }] of (affinity?.[PREFERRED] ?? []).entries()) {
    const at = `${path}.${PREFERRED}[${i}]`;
    errors.push(...validateWeight(weight, at));
    // What decodes from nothing is a term without topology key; it is reported below.
    errors.push(...validatePodTerm(podAffinityTerm ?? ({} as PodAffinityTerm), `${at}.podAffinityTerm`));
  }
  return errors;
}

function validatePodTerm(term: PodAffinityTerm, path: string): FieldError[] {
  const { labelSelector, namespaceSelector, matchLabelKeys, mismatchLabelKeys, topologyKey = "" } = term;
  return [
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(term.namespaces ?? []).flatMap((name) => applyRule(dnsLabel, name, `${path}.namespace`)),
    ...validateLabelKeys({ matchLabelKeys, mismatchLabelKeys, labelSelector }, path),
    ...(topologyKey === "" ? [required(`${path}.topologyKey`, "can not be empty")] : []),
    ...validateLabelKey(topologyKey, `${path}.topologyKey`),
  ];
}

/**
 * Keys whose values are taken from the pod's own labels. When this runs, what they select is part of the selector
 * already.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateMatchLabelKeysAndMismatchLabelKeys.
 */
export function validateLabelKeys(
  keys: {
    matchLabelKeys?: string[] | undefined;
    mismatchLabelKeys?: string[] | undefined;
    labelSelector?: LabelSelector | undefined;
  },
  path: string,
): FieldError[] {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = keys;
  const errors: FieldError[] = [];
  for (const [field, list] of Object.entries({ matchLabelKeys, mismatchLabelKeys })) {
    const at = `${path}.${field}`;
    if (list.length === 0) continue;
    if (labelSelector === undefined) {
      errors.push(forbiddenField(at, "must not be specified when labelSelector is not set"));
    } else {
      errors.push(...list.flatMap((key, i) => validateLabelKey(key, `${at}[${i}]`)));
    }
  }
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const i = matchLabelKeys.lastIndexOf(key);
    if (i >= 0 && selected.has(key)) {
      errors.push(invalid(`${path}[${i}]`, key, "exists in both matchLabelKeys and labelSelector"));
    }
    selected.add(key);
  }
  for (const [i, key] of matchLabelKeys.entries()) {
    if (!mismatchLabelKeys.includes(key)) continue;
    const why = "exists in both matchLabelKeys and mismatchLabelKeys";
    errors.push(invalid(`${path}.matchLabelKeys[${i}]`, key, why));
  }
  return errors;
}
