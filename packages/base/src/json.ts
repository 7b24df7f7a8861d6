/**
 * JSON as the Kubernetes API reads it: integers keep their exact value, `1.0` is told from `1`, duplicate keys are
 * reported, nesting is bounded, and errors are worded as Go's encoding/json words them (they reach API clients).
 */

/** Any JSON value. Integers beyond 2^53 are bigint; see {@link JsonFloat} for `1.0`. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonFloat
  | JsonValue[]
  | { [key: string]: JsonValue };

/** A number written with a fraction or an exponent although its value is whole, such as `1.0` or `1e3`. */
export class JsonFloat {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }

  get value(): number {
    return Number(this.literal);
  }

  toJSON(): number {
    return this.value;
  }
}

/** Text that is not JSON, or nests too deeply. The message is Go's. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  /** Where reading stopped, in characters from the start. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export interface ParsedJson {
  readonly value: JsonValue;
  /** Paths of keys that occur more than once in their object, such as `spec.replicas` or `a[0].b`, in order. */
  readonly duplicates: readonly string[];
}

/** Source: Go encoding/json scanner.go, maxNestingDepth. */
const GO_MAX_NESTING = 10_000;

/** Reads one JSON document. Throws {@link JsonSyntaxError}. The last of several equal keys wins. */
export function parseJson(text: string, options: { maxDepth?: number } = {}): ParsedJson {
  const parser = new Parser(text, options.maxDepth ?? GO_MAX_NESTING);
  return { value: parser.document(), duplicates: parser.duplicates };
}

/** Writes JSON; bigint and {@link JsonFloat} become plain numbers. Undefined properties are left out. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringifyWithBigInt(value);
  }
}

const SAFE_INTEGER_DIGITS = 15;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/** A cursor over the text. One use per document. */
class Parser {
  readonly duplicates: string[] = [];
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  document(): JsonValue {
    this.#skipSpace();
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail("after top-level value");
    return value;
  }

  #value(): JsonValue {
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x7b:
        return this.#object();
      case 0x5b:
        return this.#array();
      case QUOTE:
        return this.#string();
      case 0x74:
        return this.#word("true", true);
      case 0x66:
        return this.#word("false", false);
      case 0x6e:
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(): JsonValue {
    this.#descend();
    const object: { [key: string]: JsonValue } = {};
    this.#at++;
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) === 0x7d) {
      this.#at++;
      return object;
    }
    const depth = this.#path.push("");
    for (;;) {
      if (this.#text.charCodeAt(this.#at) !== QUOTE) this.#fail("looking for beginning of object key string");
      const key = this.#string();
      this.#path[depth - 1] = key;
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== 0x3a) this.#fail("after object key");
      this.#at++;
      this.#skipSpace();
      const value = this.#value();
      if (Object.hasOwn(object, key)) this.duplicates.push(formatPath(this.#path));
      setOwn(object, key, value);
      this.#skipSpace();
      const separator = this.#text.charCodeAt(this.#at);
      if (separator === 0x7d) break;
      if (separator !== 0x2c) this.#fail("after object key:value pair");
      this.#at++;
      this.#skipSpace();
    }
    this.#at++;
    this.#path.pop();
    return object;
  }

  #array(): JsonValue {
    this.#descend();
    const array: JsonValue[] = [];
    this.#at++;
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) === 0x5d) {
      this.#at++;
      return array;
    }
    const depth = this.#path.push(0);
    for (;;) {
      array.push(this.#value());
      this.#skipSpace();
      const separator = this.#text.charCodeAt(this.#at);
      if (separator === 0x5d) break;
      if (separator !== 0x2c) this.#fail("after array element");
      this.#at++;
      this.#path[depth - 1] = array.length;
      this.#skipSpace();
    }
    this.#at++;
    this.#path.pop();
    return array;
  }

  #string(): string {
    const text = this.#text;
    const start = ++this.#at;
    for (let at = start; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return text.slice(start, at);
      }
      if (code === BACKSLASH) return this.#escapedString(start, at);
      if (code < 0x20) {
        this.#at = at;
        this.#fail("in string literal");
      }
      if (at >= text.length) this.#failAtEnd();
    }
  }

  #escapedString(start: number, firstEscape: number): string {
    const text = this.#text;
    let out = text.slice(start, firstEscape);
    let at = firstEscape;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return out;
      }
      if (code === BACKSLASH) {
        const escape = text[at + 1];
        if (escape === "u") {
          const hex = text.slice(at + 2, at + 6);
          if (!/^[0-9a-fA-F]{4}$/.test(hex)) {
            this.#at = at + 2 + hex.search(/[^0-9a-fA-F]|$/);
            this.#fail("in \\u hexadecimal character escape");
          }
          out += String.fromCharCode(Number.parseInt(hex, 16));
          at += 6;
          continue;
        }
        const plain = escape === undefined ? undefined : ESCAPES.get(escape);
        if (plain === undefined) {
          this.#at = at + 1;
          this.#fail("in string escape code");
        }
        out += plain;
        at += 2;
        continue;
      }
      if (code < 0x20) {
        this.#at = at;
        this.#fail("in string literal");
      }
      if (at >= text.length) this.#failAtEnd();
      out += text[at];
      at++;
    }
  }

  #number(): JsonValue {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    const digits = (where: string): void => {
      const first = at;
      while (isDigit(text.charCodeAt(at))) at++;
      if (at === first) {
        this.#at = at;
        this.#fail(where);
      }
    };
    if (text[at] === "-") {
      at++;
      if (!isDigit(text.charCodeAt(at))) {
        this.#at = at;
        this.#fail("in numeric literal");
      }
    } else if (!isDigit(text.charCodeAt(at))) {
      this.#fail("looking for beginning of value");
    }
    if (text[at] === "0") at++;
    else digits("in numeric literal");
    let isInteger = true;
    if (text[at] === ".") {
      isInteger = false;
      at++;
      digits("after decimal point in numeric literal");
    }
    if (text[at] === "e" || text[at] === "E") {
      isInteger = false;
      at++;
      if (text[at] === "+" || text[at] === "-") at++;
      digits("in exponent of numeric literal");
    }
    this.#at = at;
    const literal = text.slice(start, at);
    const value = Number(literal);
    if (!isInteger) return Number.isInteger(value) ? new JsonFloat(literal) : value;
    if (at - start <= SAFE_INTEGER_DIGITS || Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    return BigInt(literal);
  }

  #word<T extends JsonValue>(word: string, value: T): T {
    if (this.#text.startsWith(word, this.#at)) {
      this.#at += word.length;
      return value;
    }
    let matched = 0;
    while (matched < word.length && this.#text[this.#at + matched] === word[matched]) matched++;
    this.#at += matched;
    this.#fail(`in literal ${word} (expecting '${word[matched]}')`);
  }

  #descend(): void {
    if (this.#path.length >= this.#maxDepth) throw new JsonSyntaxError("exceeded max depth", this.#at);
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #fail(where: string): never {
    const character = this.#text[this.#at];
    if (character === undefined) this.#failAtEnd();
    throw new JsonSyntaxError(`invalid character ${quoteCharacter(character)} ${where}`, this.#at);
  }

  #failAtEnd(): never {
    throw new JsonSyntaxError("unexpected end of JSON input", this.#text.length);
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Sets a property even when it is called `__proto__`. */
export function setOwn(object: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key !== "__proto__") {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether two JSON values are equal: key order does not matter, list order does. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!jsonEquals(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>; // Neither null nor an array: plain JSON leaves only objects.
  const right = b as Record<string, unknown>;
  let count = 0;
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    count++;
    if (!Object.hasOwn(right, key) || !jsonEquals(value, right[key])) return false;
  }
  for (const key in right) if (right[key] !== undefined) count--;
  return count === 0;
}

/** A deep copy of plain JSON. Keys called `__proto__` stay ordinary keys. */
export function cloneJson<T>(value: T): T {
  if (typeof value !== "object" || value === null || value instanceof JsonFloat) return value;
  if (Array.isArray(value)) return value.map(cloneJson) as T; // The elements keep their types.
  const copy: { [key: string]: unknown } = {};
  for (const key of Object.keys(value)) setOwn(copy, key, cloneJson((value as Record<string, unknown>)[key]));
  return copy as T; // The same properties with the same types.
}

/** Freezes a JSON value all the way down and returns it. What is frozen already is taken to be frozen below too. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) deepFreeze(value[key]);
  return value;
}

function formatPath(path: readonly (string | number)[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Source: Go encoding/json scanner.go, quoteChar. */
function quoteCharacter(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  const quoted = JSON.stringify(character);
  return `'${quoted.slice(1, -1)}'`;
}

function stringifyWithBigInt(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (value instanceof JsonFloat) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(stringifyWithBigInt).join(",")}]`;
  const parts: string[] = [];
  for (const [key, property] of Object.entries(value)) {
    if (property !== undefined) parts.push(`${JSON.stringify(key)}:${stringifyWithBigInt(property)}`);
  }
  return `{${parts.join(",")}}`;
}
