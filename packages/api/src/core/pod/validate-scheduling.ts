import {
  applyRule,
  dnsSubdomain,
  duplicate,
  type FieldError,
  invalid,
  labelValue,
  notSupported,
  qualifiedName,
  required,
  validateLabelKey,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import type {
  PodSchedulingGate,
  PodSchedulingGroup,
  Toleration,
  TopologySpreadConstraint,
} from "../../generated/core-v1.generated.ts";
import { validateLabelKeys } from "./validate-affinity.ts";

const EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateTolerations. */
export function validateTolerations(
  tolerations: readonly Toleration[] | undefined,
  path: string,
): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, i) => validateToleration(toleration, `${path}[${i}]`));
}

function validateToleration(toleration: Toleration, path: string): FieldError[] {
  const { key = "", operator = "", value = "", effect = "", tolerationSeconds } = toleration;
  const errors = key === "" ? [] : validateLabelKey(key, `${path}.key`);
  if (key === "" && operator !== "Exists") {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalid(`${path}.operator`, operator, why));
  }
  if (tolerationSeconds !== undefined && effect !== "NoExecute") {
    const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalid(`${path}.effect`, effect, why));
  }
  if (operator === "" || operator === "Equal") {
    const problems = labelValue(value);
    if (problems.length > 0) errors.push(invalid(`${path}.operator`, value, problems.join(";")));
  } else if (operator === "Exists") {
    if (value !== "") {
      errors.push(invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    }
  } else {
    // Upstream lists Lt and Gt for those who ask for them, though their feature is off.
    const numeric = operator === "Lt" || operator === "Gt" ? ["Lt", "Gt"] : [];
    errors.push(notSupported(`${path}.operator`, operator, ["Equal", "Exists", ...numeric]));
  }
  if (effect !== "" && !EFFECTS.includes(effect))
    errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
  return errors;
}

const ACTIONS: readonly string[] = ["DoNotSchedule", "ScheduleAnyway"];
const NODE_POLICIES: readonly string[] = ["Honor", "Ignore"];
const NOT_POSITIVE = "must be greater than zero";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateTopologySpreadConstraints. */
export function validateSpread(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  path: string,
): FieldError[] {
  return (constraints ?? []).flatMap((constraint, i, all) =>
    validateConstraint(constraint, all.slice(i + 1), `${path}[${i}]`),
  );
}

function validateConstraint(
  constraint: TopologySpreadConstraint,
  rest: readonly TopologySpreadConstraint[],
  path: string,
): FieldError[] {
  const { maxSkew = 0, topologyKey = "", whenUnsatisfiable = "", minDomains, labelSelector } = constraint;
  const errors = maxSkew > 0 ? [] : [invalid(`${path}.maxSkew`, maxSkew, NOT_POSITIVE)];
  if (topologyKey === "") errors.push(required(`${path}.topologyKey`, "can not be empty"));
  if (!ACTIONS.includes(whenUnsatisfiable)) {
    errors.push(notSupported(`${path}.whenUnsatisfiable`, whenUnsatisfiable, ACTIONS));
  }
  const repeats = rest.some(
    (other) =>
      (other.topologyKey ?? "") === topologyKey && (other.whenUnsatisfiable ?? "") === whenUnsatisfiable,
  );
  if (repeats) {
    const shown = `{${topologyKey}, ${whenUnsatisfiable}}`;
    errors.push(duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, shown));
  }
  if (minDomains !== undefined) {
    const at = `${path}.minDomains`;
    if (minDomains <= 0) errors.push(invalid(at, minDomains, NOT_POSITIVE));
    if (whenUnsatisfiable !== "DoNotSchedule") {
      const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
      errors.push(invalid(at, minDomains, why));
    }
  }
  for (const field of ["nodeAffinityPolicy", "nodeTaintsPolicy"] as const) {
    const policy = constraint[field];
    if (policy !== undefined && !NODE_POLICIES.includes(policy)) {
      errors.push(notSupported(`${path}.${field}`, policy, NODE_POLICIES));
    }
  }
  errors.push(...validateLabelKeys({ matchLabelKeys: constraint.matchLabelKeys, labelSelector }, path));
  errors.push(...validateLabelSelector(labelSelector, `${path}.labelSelector`));
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateSchedulingGates. */
export function validateGates(gates: readonly PodSchedulingGate[] | undefined, path: string): FieldError[] {
  const seen = new Set<string>();
  return (gates ?? []).flatMap(({ name = "" }, i) => {
    const errors = applyRule(qualifiedName, name, `${path}[${i}]`);
    if (seen.has(name)) errors.push(duplicate(`${path}[${i}]`, name));
    seen.add(name);
    return errors;
  });
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateSchedulingGroup. */
export function validateSchedulingGroup(group: PodSchedulingGroup | undefined, path: string): FieldError[] {
  if (group === undefined) return [];
  const at = `${path}.podGroupName`;
  if (group.podGroupName === undefined) {
    return [invalid(at, undefined, "must specify one of: `podGroupName`")];
  }
  return applyRule(dnsSubdomain, group.podGroupName, at);
}
