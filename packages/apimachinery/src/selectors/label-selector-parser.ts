import { invalid } from "../errors/field-error.ts";
import { badRequest, formatFieldErrors, isStatusError } from "../errors/status-error.ts";
import { qualifiedName } from "../validation/names.ts";
import {
  type LabelMatcher,
  type LabelOperator,
  type LabelRequirement,
  labelMatcher,
  labelRequirement,
} from "./label-matcher.ts";

/**
 * Reads the query-string form of a label selector, such as `app=web,tier in (fe,be),!canary`. Empty text selects
 * everything. Throws the API's 400 for anything else.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/labels/selector.go, Parser and Lexer.
 */
export function parseLabelSelector(text: string): LabelMatcher {
  return labelMatcher(new Parser(scan(text)).requirements());
}

type TokenKind = "identifier" | "end" | "error" | "in" | "notin" | "(" | ")" | "," | BinarySymbol | "!";
type BinarySymbol = "=" | "==" | "!=" | ">" | "<";

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const SYMBOLS: ReadonlySet<string> = new Set([")", ",", "!", "==", "=", ">", "<", "!=", "("]);
const SYMBOL_CHARACTERS = "=!(),><";
const SPACE = " \t\r\n";
const OPERATORS = "in, notin, =, ==, !=, gt, lt";

function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    const character = text[at]!;
    if (SPACE.includes(character)) {
      at++;
    } else if (SYMBOL_CHARACTERS.includes(character)) {
      // The longest known symbol: `===` reads as `==` and `=`.
      at++;
      while (at < text.length && SYMBOLS.has(text.slice(start, at + 1))) at++;
      const symbol = text.slice(start, at);
      tokens.push({ kind: symbol as TokenKind, text: symbol }); // Every single symbol character is a symbol.
    } else {
      while (at < text.length && !SPACE.includes(text[at]!) && !SYMBOL_CHARACTERS.includes(text[at]!)) at++;
      const word = text.slice(start, at);
      tokens.push({ kind: word === "in" || word === "notin" ? word : "identifier", text: word });
    }
  }
  return tokens;
}

const END: Token = { kind: "end", text: "" };

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  requirements(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.#peek();
      if (next.kind === "end") return requirements;
      if (next.kind !== "identifier" && next.kind !== "!")
        throw badRequest(`found '${next.text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.#requirementOrExplain());
      const separator = this.#take();
      if (separator.kind === "end") return requirements;
      if (separator.kind !== ",")
        throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`);
      const following = this.#peek();
      if (following.kind !== "identifier" && following.kind !== "!")
        throw badRequest(`found '${following.text}', expected: identifier after ','`);
    }
  }

  #requirementOrExplain(): LabelRequirement {
    try {
      return this.#requirement();
    } catch (error) {
      if (!isStatusError(error)) throw error;
      throw badRequest(`unable to parse requirement: ${error.message}`);
    }
  }

  #requirement(): LabelRequirement {
    let token = this.#take();
    const isNegated = token.kind === "!";
    if (isNegated) token = this.#take();
    if (token.kind !== "identifier") throw badRequest(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const keyErrors = qualifiedName(key);
    // The path of a bare key prints as Go prints a nil pointer.
    if (keyErrors.length > 0)
      throw badRequest(formatFieldErrors([invalid("<nil>", key, keyErrors.join("; "))]));
    if (isNegated) return labelRequirement(key, "!", []);
    const next = this.#peek().kind;
    if (next === "end" || next === ",") return labelRequirement(key, "exists", []);
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#valueList() : [this.#exactValue()];
    return labelRequirement(key, operator, values);
  }

  #operator(): LabelOperator {
    const token = this.#takeRaw();
    switch (token.kind) {
      case "in":
      case "notin":
      case "=":
      case "==":
      case "!=":
      case ">":
      case "<":
        return token.kind;
      default:
        throw badRequest(`found '${token.text}', expected: ${OPERATORS}`);
    }
  }

  #valueList(): string[] {
    const open = this.#take();
    if (open.kind !== "(") throw badRequest(`found '${open.text}' expected: '('`);
    const next = this.#peek();
    if (next.kind === ")") {
      this.#take();
      return [""];
    }
    if (next.kind !== "identifier" && next.kind !== ",")
      throw badRequest(`found '${next.text}', expected: ',', ')' or identifier`);
    const values = this.#identifierList();
    const close = this.#take();
    if (close.kind !== ")") throw badRequest(`found '${close.text}', expected: ')'`);
    return values;
  }

  /** Empty places between commas are empty values. Stops before the closing bracket. */
  #identifierList(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      if (token.kind === "identifier") {
        values.push(token.text);
        const next = this.#peek();
        if (next.kind === ")") return values;
        if (next.kind !== ",") throw badRequest(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.kind === ",") {
        if (values.length === 0) values.push("");
        const next = this.#peek();
        if (next.kind === ")") return [...values, ""];
        if (next.kind === ",") {
          this.#take();
          values.push("");
        }
      } else {
        throw badRequest(`found '${token.text}', expected: ',', or identifier`);
      }
    }
  }

  #exactValue(): string {
    const next = this.#peek();
    if (next.kind === "end" || next.kind === ",") return "";
    const token = this.#take();
    if (token.kind !== "identifier") throw badRequest(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** Where keys and values stand, `in` and `notin` are ordinary words. */
  #peek(): Token {
    return asWord(this.#tokens[this.#at] ?? END);
  }

  #take(): Token {
    return asWord(this.#takeRaw());
  }

  #takeRaw(): Token {
    return this.#tokens[this.#at++] ?? END;
  }
}

function asWord(token: Token): Token {
  return token.kind === "in" || token.kind === "notin" ? { kind: "identifier", text: token.text } : token;
}
