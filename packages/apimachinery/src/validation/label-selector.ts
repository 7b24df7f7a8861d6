import { type FieldError, forbidden, invalid, required } from "../errors/field-error.ts";
import { labelValue } from "./names.ts";
import { validateLabelKey, validateLabels } from "./object-meta.ts";

interface SelectorLike {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly RequirementLike[];
}

interface RequirementLike {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Source: kubernetes v1.36 apimachinery/pkg/apis/meta/v1/validation/validation.go, ValidateLabelSelector. */
export function validateLabelSelector(selector: SelectorLike | null | undefined, path: string): FieldError[] {
  if (selector === undefined || selector === null) return [];
  return [
    ...validateLabels(selector.matchLabels, `${path}.matchLabels`),
    ...(selector.matchExpressions ?? []).flatMap((requirement, i) =>
      validateRequirement(requirement, `${path}.matchExpressions[${i}]`),
    ),
  ];
}

function validateRequirement({ key, operator, values = [] }: RequirementLike, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbidden(`${path}.values`, why));
    }
  } else {
    errors.push(invalid(`${path}.operator`, operator, "not a valid selector operator"));
  }
  errors.push(...validateLabelKey(key, `${path}.key`));
  for (const [i, value] of values.entries()) {
    for (const problem of labelValue(value)) errors.push(invalid(`${path}.values[${i}]`, value, problem));
  }
  return errors;
}
