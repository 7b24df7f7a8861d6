import { type FieldError, invalid } from "../errors/field-error.ts";
import { badRequest, formatFieldErrors } from "../errors/status-error.ts";
import { labelValue, qualifiedName } from "../validation/names.ts";

/** How a requirement compares: the operators of the query-string form. `in` and `notin` take several values. */
export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | ">" | "<";

/** One condition on one label. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, each once. */
  readonly values: readonly string[];
}

/** A label selector ready to be matched: all requirements must hold. Without any it matches everything. */
export interface LabelMatcher {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** Matches no object at all, whatever its labels. */
  readonly matchesNothing?: true;
}

/** Selects every object. */
export const matchEveryLabel: LabelMatcher = Object.freeze({ requirements: [] });

/** Selects no object: what a missing metav1.LabelSelector means. */
export const matchNoLabel: LabelMatcher = Object.freeze({ requirements: [], matchesNothing: true });

/** Whether an object with these labels is selected. */
export function matchLabels(
  matcher: LabelMatcher,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  if (matcher.matchesNothing === true) return false;
  for (const requirement of matcher.requirements) {
    if (!holds(requirement, labels)) return false;
  }
  return true;
}

/** The canonical query-string form, such as `app=web,tier in (be,fe)`. Empty for "everything". */
export function formatLabelSelector(matcher: LabelMatcher): string {
  return matcher.requirements.map(formatRequirement).join(",");
}

/** A matcher of these requirements, sorted by key as upstream sorts them. */
export function labelMatcher(requirements: readonly LabelRequirement[]): LabelMatcher {
  if (requirements.length === 0) return matchEveryLabel;
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return Object.freeze({ requirements: Object.freeze(sorted) });
}

/** A matcher of labels that must all have these values. The keys and values are not checked. */
export function labelMatcherFromMap(labels: Readonly<Record<string, string>>): LabelMatcher {
  return labelMatcher(
    Object.entries(labels).map(([key, value]) => ({ key, operator: "=", values: [value] })),
  );
}

/**
 * A checked requirement. Throws the API's 400 when the key, the number of values or a value is not allowed.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/labels/selector.go, NewRequirement.
 */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  const sorted = [...new Set(values)].sort();
  const errors: FieldError[] = [];
  const keyErrors = qualifiedName(key);
  if (keyErrors.length > 0) errors.push(invalid("key", key, keyErrors.join("; ")));
  const countError = valueCountError(operator, sorted);
  if (countError !== undefined) errors.push(invalid("values", sorted, countError));
  if (operator === ">" || operator === "<") {
    for (const [index, value] of sorted.entries()) {
      if (parseInt64(value) === undefined) {
        errors.push(
          invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"),
        );
      }
    }
  }
  for (const [index, value] of sorted.entries()) {
    const valueErrors = labelValue(value);
    if (valueErrors.length > 0)
      errors.push(invalid(`values[${index}][${key}]`, value, valueErrors.join("; ")));
  }
  if (errors.length > 0) throw badRequest(formatFieldErrors(errors));
  return Object.freeze({ key, operator, values: Object.freeze(sorted) });
}

function valueCountError(operator: LabelOperator, values: readonly string[]): string | undefined {
  switch (operator) {
    case "in":
    case "notin":
      return values.length === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case "=":
    case "==":
    case "!=":
      return values.length === 1 ? undefined : "exact-match compatibility requires one single value";
    case "exists":
    case "!":
      return values.length === 0 ? undefined : "values set must be empty for exists and does not exist";
    case ">":
    case "<":
      return values.length === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
}

function holds(
  { key, operator, values }: LabelRequirement,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  // What a plain object inherits (`constructor`, `__proto__`) is never a string.
  const found: unknown = labels?.[key];
  const value = typeof found === "string" ? found : undefined;
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case ">":
    case "<": {
      const actual = value === undefined ? undefined : parseInt64(value);
      const limit = parseInt64(values[0]!);
      if (actual === undefined || limit === undefined) return false;
      return operator === ">" ? actual > limit : actual < limit;
    }
  }
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "!":
      return `!${key}`;
    case "exists":
      return key;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.join(",")})`;
    default:
      return `${key}${operator}${values.join(",")}`;
  }
}

const MAX_INT64 = 2n ** 63n - 1n;

/** As Go's strconv.ParseInt(text, 10, 64). */
function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = text.startsWith("+") ? BigInt(text.slice(1)) : BigInt(text);
  return value > MAX_INT64 || value < -MAX_INT64 - 1n ? undefined : value;
}
