import {
  applyRule,
  compareQuantities,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  qualifiedName,
  required,
} from "@binnacle/apimachinery";
import type { LimitRange, LimitRangeItem } from "../../generated/core-v1.generated.ts";
import { roundUpResources } from "../node/defaults.ts";
import { isExtendedResource, isIntegerResource, validateResourceAmount } from "../node/validation.ts";

const LISTS = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] as const;

/**
 * A container limit has a default even when only a maximum is given.
 *
 * Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_LimitRangeItem.
 */
export function setLimitRangeDefaults({ spec }: LimitRange): void {
  for (const item of spec?.limits ?? []) {
    for (const list of LISTS) roundUpResources(item[list]);
    if (item.type !== "Container") continue;
    item.default = { ...item.max, ...item.default };
    item.defaultRequest = { ...item.min, ...item.default, ...item.defaultRequest };
    // A minimum is the smallest request that can be, so it is the request of those that ask for none.
    for (const [name, amount] of Object.entries(item.min ?? {})) item.defaultRequest[name] ??= amount;
    for (const list of ["default", "defaultRequest"] as const) {
      if (Object.keys(item[list] ?? {}).length === 0) delete item[list];
    }
  }
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateLimitRange. */
export function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [i, item] of (spec?.limits ?? []).entries()) {
    const path = `spec.limits[${i}]`;
    const problems = validateType(item.type, `${path}.type`);
    errors.push(...problems);
    if (types.has(item.type)) errors.push(duplicate(`${path}.type`, item.type));
    types.add(item.type);
    errors.push(...validateItem(item, path));
  }
  return errors;
}

const STANDARD_TYPES = ["Pod", "Container", "PersistentVolumeClaim"];

function validateType(type: string, path: string): FieldError[] {
  const problems = applyRule(qualifiedName, type, path);
  if (problems.length > 0 || type.includes("/") || STANDARD_TYPES.includes(type)) return problems;
  return [invalid(path, type, "must be a standard limit type or fully qualified")];
}

function validateItem(item: LimitRangeItem, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { min = {}, max = {}, maxLimitRequestRatio: ratios = {} } = item;
  const names = new Set<string>();
  for (const list of ["max", "min"] as const) {
    for (const [name, amount] of Object.entries(item[list] ?? {})) {
      names.add(name);
      errors.push(...validateName(name, `${path}.${list}[${name}]`));
      errors.push(...validateResourceAmount(name, amount, `${path}.${list}[${name}]`));
    }
  }
  if (item.type === "Pod") {
    for (const list of ["default", "defaultRequest"] as const) {
      if (Object.keys(item[list] ?? {}).length > 0) {
        errors.push(forbiddenField(`${path}.${list}`, "may not be specified when `type` is 'Pod'"));
      }
    }
  } else {
    for (const list of ["default", "defaultRequest"] as const) {
      for (const [name, amount] of Object.entries(item[list] ?? {})) {
        names.add(name);
        errors.push(...validateName(name, `${path}.${list}[${name}]`));
        errors.push(...validateResourceAmount(name, amount, `${path}.${list}[${name}]`));
      }
    }
  }
  if (item.type === "PersistentVolumeClaim" && min["storage"] === undefined && max["storage"] === undefined) {
    errors.push(
      required(
        `${path}.limits`,
        "either minimum or maximum storage value is required, but neither was provided",
      ),
    );
  }
  for (const [name, amount] of Object.entries(ratios)) {
    names.add(name);
    errors.push(...validateName(name, `${path}.maxLimitRequestRatio[${name}]`));
    errors.push(...validateResourceAmount(name, amount, `${path}.maxLimitRequestRatio[${name}]`));
  }
  for (const name of names) errors.push(...validateOrder(item, name, path));
  return errors;
}

/** Smallest to largest: min, defaultRequest, default, max. */
function validateOrder(item: LimitRangeItem, name: string, path: string): FieldError[] {
  const isPod = item.type === "Pod";
  const min = item.min?.[name];
  const max = item.max?.[name];
  const limit = isPod ? undefined : item.default?.[name];
  const request = isPod ? undefined : item.defaultRequest?.[name];
  const ratio = item.maxLimitRequestRatio?.[name];
  const errors: FieldError[] = [];
  const exceeds = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
  if (exceeds(min, max)) {
    errors.push(invalid(`${path}.min[${name}]`, min, `min value ${min} is greater than max value ${max}`));
  }
  if (exceeds(min, request)) {
    const why = `min value ${min} is greater than default request value ${request}`;
    errors.push(invalid(`${path}.defaultRequest[${name}]`, request, why));
  }
  if (exceeds(request, max)) {
    const why = `default request value ${request} is greater than max value ${max}`;
    errors.push(invalid(`${path}.defaultRequest[${name}]`, request, why));
  }
  if (exceeds(request, limit)) {
    const why = `default request value ${request} is greater than default limit value ${limit}`;
    errors.push(invalid(`${path}.defaultRequest[${name}]`, request, why));
  }
  if (exceeds(min, limit)) {
    const why = `min value ${min} is greater than default value ${limit}`;
    errors.push(invalid(`${path}.default[${name}]`, min, why));
  }
  if (exceeds(limit, max)) {
    errors.push(
      invalid(`${path}.default[${name}]`, max, `default value ${limit} is greater than max value ${max}`),
    );
  }
  if (ratio !== undefined && compareQuantities(ratio, "1") < 0) {
    errors.push(invalid(`${path}.maxLimitRequestRatio[${name}]`, ratio, `ratio ${ratio} is less than 1`));
  }
  if (isExtendedResource(name) && limit !== request && limit !== undefined && request !== undefined) {
    const why = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
    errors.push(invalid(`${path}.defaultRequest[${name}]`, request, why));
  }
  return errors;
}

const STANDARD_RESOURCES = ["cpu", "memory", "storage", "ephemeral-storage"];

function validateName(name: string, path: string): FieldError[] {
  const problems = applyRule(qualifiedName, name, path);
  if (problems.length > 0 || name.includes("/")) return problems;
  if (STANDARD_RESOURCES.includes(name) || name.startsWith("hugepages-") || isIntegerResource(name))
    return [];
  return [invalid(path, name, "must be a standard resource type or fully qualified")];
}
