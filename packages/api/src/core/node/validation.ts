import {
  applyRule,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  labelValue,
  notSupported,
  qualifiedName,
  quantitySign,
  quantityToMillis,
  required,
  validateLegacyCidr,
} from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import type { Node, Taint } from "../../generated/core-v1.generated.ts";

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateNode. */
export function validateNode(node: Node): FieldError[] {
  const errors = validateTaints(node.spec?.taints ?? []);
  errors.push(...validateResources(node));
  const ranges = node.spec?.podCIDRs ?? [];
  for (const [i, range] of ranges.entries()) errors.push(...validateLegacyCidr(`spec.podCIDRs[${i}]`, range));
  if (ranges.length > 2) {
    errors.push(invalid("spec.podCIDRs", ranges, "may specify no more than one CIDR for each IP family"));
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateNodeUpdate. */
export function validateNodeUpdate(updated: Node, old: Node): FieldError[] {
  const errors = validateResources(updated);
  const addresses = updated.status?.addresses ?? [];
  for (const [i, address] of addresses.entries()) {
    if (addresses.findIndex((other) => jsonEquals(other, address)) < i) {
      const shown = { Type: address.type, Address: address.address };
      errors.push(duplicate(`status.addresses[${i}]`, shown));
    }
  }
  const before = old.spec?.podCIDRs ?? [];
  if (before.length > 0 && !jsonEquals(before, updated.spec?.podCIDRs ?? [])) {
    errors.push(
      forbiddenField("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid'),
    );
  }
  if (old.spec?.providerID && old.spec.providerID !== updated.spec?.providerID) {
    const why = 'node updates may not change providerID except from "" to valid';
    errors.push(forbiddenField("spec.providerID", why));
  }
  errors.push(...validateTaints(updated.spec?.taints ?? []));
  if ((old.spec?.externalID ?? "") !== (updated.spec?.externalID ?? "")) {
    errors.push(forbiddenField("spec.externalID", "may not be updated"));
  }
  return errors;
}

/** Upstream reports taints under metadata. Source: validation.go, validateNodeTaints. */
function validateTaints(taints: readonly Taint[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    const path = `metadata.taints[${i}]`;
    errors.push(...applyRule(qualifiedName, taint.key, `${path}.key`));
    const problems = labelValue(taint.value ?? "");
    if (problems.length > 0) errors.push(invalid(`${path}.value`, taint.value, problems.join(";")));
    if (!taint.effect) errors.push(required(`${path}.effect`));
    else if (!EFFECTS.includes(taint.effect)) {
      errors.push(notSupported(`${path}.effect`, taint.effect, EFFECTS));
    }
    const key = `${taint.effect} ${taint.key}`;
    if (seen.has(key)) {
      const { key: Key, value = "", effect: Effect, timeAdded = null } = taint;
      const error = duplicate(path, { Key, Value: value, Effect, TimeAdded: timeAdded });
      errors.push({ ...error, body: `${error.body}: taints must be unique by key and effect pair` });
    }
    seen.add(key);
  }
  return errors;
}

/** Source: validation.go, ValidateNodeResources. */
function validateResources({ status = {} }: Node): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ["capacity", "allocatable"] as const) {
    for (const [name, amount] of Object.entries(status[field] ?? {})) {
      errors.push(...validateResourceAmount(name, amount, `status.${field}.${name}`));
    }
  }
  return errors;
}

/**
 * Not negative, and whole where the resource is counted.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateResourceQuantityValue.
 */
export function validateResourceAmount(name: string, amount: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (quantitySign(amount) < 0) errors.push(invalid(path, amount, "must be greater than or equal to 0"));
  if (isIntegerResource(name) && quantityToMillis(amount) % 1000n !== 0n) {
    errors.push(invalid(path, amount, "must be an integer"));
  }
  return errors;
}

const COUNTED: ReadonlySet<string> = new Set([
  "pods",
  "services",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Counts of objects, and extended resources. Source: kubernetes v1.36 pkg/apis/core/helper/helpers.go. */
export function isIntegerResource(name: string): boolean {
  return COUNTED.has(name) || name.startsWith("count/") || isExtendedResource(name);
}

/** A resource of somebody's own domain, such as `nvidia.com/gpu`. */
export function isExtendedResource(name: string): boolean {
  if (!name.includes("/") || name.startsWith("requests.")) return false;
  const domain = name.slice(0, name.indexOf("/"));
  return domain !== "kubernetes.io" && !domain.endsWith(".kubernetes.io") && domain !== "count";
}
