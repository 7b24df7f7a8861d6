import {
  type FieldError,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import type {
  MatchCondition,
  MatchResources,
  RuleWithOperations,
} from "../generated/admissionregistration-v1.generated.ts";

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];
export const FAILURE_POLICIES: readonly string[] = ["Fail", "Ignore"];
export const MATCH_POLICIES: readonly string[] = ["Equivalent", "Exact"];
const MAX_MATCH_CONDITIONS = 64;

/** Source: kubernetes v1.36 pkg/apis/admissionregistration/validation/validation.go, validateRuleWithOperations. */
export function validateRule(rule: RuleWithOperations, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const operations = rule.operations ?? [];
  if (operations.length === 0) errors.push(required(`${path}.operations`));
  if (operations.length > 1 && operations.includes("*")) {
    const why = "if '*' is present, must not specify other operations";
    errors.push(invalid(`${path}.operations`, operations, why));
  }
  for (const [i, operation] of operations.entries()) {
    if (!OPERATIONS.includes(operation)) {
      errors.push(notSupported(`${path}.operations[${i}]`, operation, OPERATIONS));
    }
  }
  errors.push(...validateWildcardList(rule.apiGroups ?? [], `${path}.apiGroups`, "API groups"));
  errors.push(...validateWildcardList(rule.apiVersions ?? [], `${path}.apiVersions`, "API versions"));
  for (const [i, version] of (rule.apiVersions ?? []).entries()) {
    if (version === "") errors.push(required(`${path}.apiVersions[${i}]`));
  }
  errors.push(...validateResources(rule.resources ?? [], `${path}.resources`));
  if (rule.scope !== undefined && !SCOPES.includes(rule.scope)) {
    errors.push(notSupported(`${path}.scope`, rule.scope, SCOPES));
  }
  return errors;
}

function validateWildcardList(list: readonly string[], path: string, what: string): FieldError[] {
  if (list.length === 0) return [required(path)];
  if (list.length === 1 || !list.includes("*")) return [];
  return [invalid(path, list, `if '*' is present, must not specify other ${what}`)];
}

/** One resource, one subresource, all of either, or everything. */
function validateResources(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  for (const [i, name] of resources.entries()) {
    if (name === "") {
      errors.push(required(`${path}[${i}]`));
      continue;
    }
    const slash = name.indexOf("/");
    if (slash < 0) continue;
    const resource = name.slice(0, slash);
    const subresource = name.slice(slash + 1);
    const at = `${path}[${i}]`;
    if (wholeResources.has(resource)) {
      errors.push(invalid(at, name, `if '${resource}/*' is present, must not specify ${name}`));
    }
    if (wholeSubresources.has(subresource)) {
      errors.push(invalid(at, name, `if '*/${subresource}' is present, must not specify ${name}`));
    }
    if (subresource === "*") wholeResources.add(resource);
    if (resource === "*") wholeSubresources.add(subresource);
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  const hasPlain = resources.some((name) => name !== "" && name !== "*" && !name.includes("/"));
  if (resources.includes("*") && hasPlain) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(path, resources, why));
  }
  return errors;
}

/** The parts of match conditions that need no compiler. */
export function validateMatchConditions(conditions: readonly MatchCondition[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > MAX_MATCH_CONDITIONS) {
    errors.push({
      type: "FieldValueTooMany",
      path,
      body: `Too many: ${conditions.length}: must have at most ${MAX_MATCH_CONDITIONS} items`,
    });
  }
  for (const [i, { name, expression }] of conditions.entries()) {
    if (expression.trim() === "") errors.push(required(`${path}[${i}].expression`));
    if (name === "") errors.push(required(`${path}[${i}].name`));
    else if (conditions.findIndex((other) => other.name === name) < i) {
      errors.push({
        type: "FieldValueDuplicate",
        path: `${path}[${i}].name`,
        body: `Duplicate value: ${JSON.stringify(name)}`,
      });
    }
  }
  return errors;
}

/** Source: validation.go, validateMatchResources. */
export function validateMatchResources(match: MatchResources, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (match.matchPolicy === undefined) errors.push(required(`${path}.matchPolicy`));
  else if (!MATCH_POLICIES.includes(match.matchPolicy)) {
    errors.push(notSupported(`${path}.matchPolicy`, match.matchPolicy, MATCH_POLICIES));
  }
  errors.push(
    ...validateLabelSelector(match.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(match.objectSelector, `${path}.objectSelector`),
  );
  for (const field of ["resourceRules", "excludeResourceRules"] as const) {
    for (const [i, rule] of (match[field] ?? []).entries()) {
      errors.push(...validateRule(rule, `${path}.${field}[${i}]`));
    }
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/admissionregistration/v1/defaults.go, SetDefaults_MatchResources. */
export function setMatchResourcesDefaults(match: MatchResources | undefined): void {
  if (match === undefined) return;
  match.matchPolicy ??= "Equivalent";
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])])
    rule.scope ??= "*";
}
