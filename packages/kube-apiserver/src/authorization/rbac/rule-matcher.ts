import type { AuthorizationAttributes } from "@binnacle/apiserver";

/** Source: kubernetes v1.36 rbac/v1 types.go, PolicyRule. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Whether a rule allows a request. Source: pkg/apis/rbac/v1/evaluation_helpers.go. */
export function ruleAllows(rule: PolicyRule, attributes: AuthorizationAttributes): boolean {
  if (!attributes.isResourceRequest) {
    return matches(rule.verbs, attributes.verb) && matchesUrl(rule.nonResourceURLs ?? [], attributes.path);
  }
  if (!matches(rule.verbs, attributes.verb) || !matches(rule.apiGroups ?? [], attributes.group)) return false;
  if (!matchesResource(rule.resources ?? [], attributes.resource, attributes.subresource)) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || names.includes(attributes.name);
}

function matches(allowed: readonly string[], value: string): boolean {
  return allowed.includes("*") || allowed.includes(value);
}

function matchesResource(allowed: readonly string[], resource: string, subresource: string): boolean {
  const combined = subresource === "" ? resource : `${resource}/${subresource}`;
  for (const candidate of allowed) {
    if (candidate === "*" || candidate === combined) return true;
    if (subresource !== "" && candidate === `*/${subresource}`) return true;
  }
  return false;
}

function matchesUrl(allowed: readonly string[], path: string): boolean {
  return allowed.some((url) => {
    if (url === "*" || url === path) return true;
    return url.endsWith("*") && path.startsWith(url.slice(0, -1));
  });
}

/**
 * The requested rules that the held rules do not cover, broken down to single verbs and resources.
 *
 * Source: component-helpers/auth/rbac/validation/policy_comparator.go, Covers.
 */
export function uncoveredRules(held: readonly PolicyRule[], requested: readonly PolicyRule[]): PolicyRule[] {
  return requested.flatMap(breakDown).filter((rule) => !held.some((owner) => covers(owner, rule)));
}

function breakDown(rule: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = [];
  for (const group of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of rule.verbs) {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if ((rule.resourceNames ?? []).length === 0) parts.push(part);
        for (const name of rule.resourceNames ?? []) parts.push({ ...part, resourceNames: [name] });
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? []) {
    for (const verb of rule.verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  }
  return parts;
}

function covers(owner: PolicyRule, part: PolicyRule): boolean {
  const verb = part.verbs[0]!; // Broken down rules hold exactly one.
  if (!matches(owner.verbs, verb)) return false;
  const url = part.nonResourceURLs?.[0];
  if (url !== undefined) return matchesUrl(owner.nonResourceURLs ?? [], url);
  if (!matches(owner.apiGroups ?? [], part.apiGroups?.[0] ?? "")) return false;
  const [resource = "", subresource = ""] = (part.resources?.[0] ?? "").split("/");
  if (!matchesResource(owner.resources ?? [], resource, subresource)) return false;
  const names = owner.resourceNames ?? [];
  if (names.length === 0) return true;
  const name = part.resourceNames?.[0];
  return name !== undefined && names.includes(name);
}
