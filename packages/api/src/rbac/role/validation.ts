import { type FieldError, invalid, required } from "@binnacle/apimachinery";
import type { PolicyRule, Role } from "../../generated/rbac-v1.generated.ts";

/** Source: kubernetes v1.36 pkg/apis/rbac/validation/validation.go, ValidateRole. */
export function validateRole({ rules }: Role): FieldError[] {
  return (rules ?? []).flatMap((rule, i) => validatePolicyRule(rule, true, `rules[${i}]`));
}

/** Source: validation.go, ValidatePolicyRule. */
export function validatePolicyRule(rule: PolicyRule, isNamespaced: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (isEmpty(rule.verbs)) errors.push(required(`${path}.verbs`, "verbs must contain at least one value"));
  if (!isEmpty(rule.nonResourceURLs)) {
    const urls = rule.nonResourceURLs;
    if (isNamespaced) {
      const why = "namespaced rules cannot apply to non-resource URLs";
      errors.push(invalid(`${path}.nonResourceURLs`, urls, why));
    }
    if (!isEmpty(rule.apiGroups) || !isEmpty(rule.resources) || !isEmpty(rule.resourceNames)) {
      const why = "rules cannot apply to both regular resources and non-resource URLs";
      errors.push(invalid(`${path}.nonResourceURLs`, urls, why));
    }
    return errors;
  }
  if (isEmpty(rule.apiGroups)) {
    errors.push(required(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  }
  if (isEmpty(rule.resources)) {
    errors.push(required(`${path}.resources`, "resource rules must supply at least one resource"));
  }
  return errors;
}

function isEmpty(list: readonly string[] | null | undefined): boolean {
  return list === undefined || list === null || list.length === 0;
}
