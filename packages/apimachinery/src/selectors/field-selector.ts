import { badRequest } from "../errors/status-error.ts";

/** One condition on one selectable field. */
export interface FieldRequirement {
  /** A selectable field's name, such as `metadata.name` or `status.phase`. */
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** A field selector: all requirements must hold. Without any it matches everything. */
export interface FieldMatcher {
  readonly requirements: readonly FieldRequirement[];
}

/** Selects every object. */
export const matchEveryField: FieldMatcher = Object.freeze({ requirements: [] });

/** The longest operator first, as each position of a term tries them. */
const OPERATORS = ["!=", "==", "="] as const;

/**
 * Reads a field selector such as `metadata.name=web,status.phase!=Running`; `\` escapes `,`, `=` and itself in
 * values. Throws the API's 400. Which fields exist is for the resource to say.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/fields/selector.go.
 */
export function parseFieldSelector(text: string): FieldMatcher {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text)) {
    if (term === "") continue;
    requirements.push(parseTerm(text, term));
  }
  if (requirements.length === 0) return matchEveryField;
  return Object.freeze({ requirements: Object.freeze(requirements) });
}

/** Whether an object with these field values is selected. A missing value counts as empty. */
export function matchFields(matcher: FieldMatcher, valueOf: (field: string) => string | undefined): boolean {
  for (const { field, operator, value } of matcher.requirements) {
    if (((valueOf(field) ?? "") === value) !== (operator === "=")) return false;
  }
  return true;
}

/** The value that the selector requires of a field, if it requires one. */
export function requiredFieldValue(matcher: FieldMatcher, field: string): string | undefined {
  return matcher.requirements.find((each) => each.field === field && each.operator === "=")?.value;
}

/** The canonical form, with values escaped. */
export function formatFieldSelector(matcher: FieldMatcher): string {
  return matcher.requirements
    .map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, "\\$&")}`)
    .join(",");
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === ",") {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(selector: string, term: string): FieldRequirement {
  for (let at = 0; at < term.length; at++) {
    for (const operator of OPERATORS) {
      if (!term.startsWith(operator, at)) continue;
      const value = unescapeValue(term.slice(at + operator.length));
      return Object.freeze({
        field: term.slice(0, at),
        operator: operator === "!=" ? "!=" : "=",
        value,
      });
    }
  }
  throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
}

function unescapeValue(value: string): string {
  let out = "";
  for (let at = 0; at < value.length; at++) {
    const character = value[at]!;
    if (character === "\\") {
      const escaped = value[++at] ?? "";
      if (escaped === "" || !"\\,=".includes(escaped))
        throw badRequest(`invalid field selector: invalid escape sequence: \\${escaped}`);
      out += escaped;
    } else if (character === "," || character === "=") {
      // Upstream prints the character as a number.
      throw badRequest(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
    } else {
      out += character;
    }
  }
  return out;
}
