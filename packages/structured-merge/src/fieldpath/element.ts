import { JsonFloat, stringifyJson } from "@binnacle/base";

/**
 * One step of a path, written as FieldsV1 writes it: `f:name` for a field, `k:{"name":"a"}` for an item of a list
 * with keys, `v:"x"` for an item of a set, `i:0` for an index. `.` is the value itself.
 *
 * Source: structured-merge-diff v6 fieldpath/serialize-pe.go.
 */
export type PathElement = string;

/** The element of a value itself inside its own set. */
export const SELF = ".";

/** The element of a field or map key. */
export function fieldElement(name: string): PathElement {
  return "f:" + name;
}

/** The element of an item of a set. */
export function valueElement(value: unknown): PathElement {
  return "v:" + stringifyScalar(value);
}

/** The element of an item of a list with keys. `names` must be sorted; `values` are in the same order. */
export function keyElement(names: readonly string[], values: readonly unknown[]): PathElement {
  if (names.length === 1) return `k:{${quote(names[0]!)}:${stringifyScalar(values[0])}}`;
  let text = "k:{";
  for (let i = 0; i < names.length; i++) {
    if (i > 0) text += ",";
    text += `${quote(names[i]!)}:${stringifyScalar(values[i])}`;
  }
  return text + "}";
}

/** The field name of an `f:` element; undefined for other elements. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

/** Whether an element names an item of a list with keys. */
export function isKeyElement(element: PathElement): boolean {
  return element.startsWith("k:");
}

/**
 * Reads an element as a client may have written it and gives its canonical form; undefined when it is malformed.
 * Elements of unknown kinds are malformed too.
 */
export function parseElement(text: string): PathElement | undefined {
  if (text === SELF) return SELF;
  const kind = text.slice(0, 2);
  const rest = text.slice(2);
  switch (kind) {
    case "f:":
      return text;
    case "v:": {
      const value = parse(rest);
      return value === undefined ? undefined : valueElement(value.json);
    }
    case "k:": {
      const value = parse(rest);
      if (value === undefined || typeof value.json !== "object" || value.json === null) return undefined;
      if (Array.isArray(value.json)) return undefined;
      const keys = value.json as Record<string, unknown>; // Neither null nor an array.
      const names = Object.keys(keys).sort();
      return keyElement(
        names,
        names.map((name) => keys[name]),
      );
    }
    case "i:":
      return /^[0-9]+$/.test(rest) ? text : undefined;
    default:
      return undefined;
  }
}

/** The element as paths in messages show it: `.name`, `[name="a",port=80]`, `[="x"]`, `[0]`. */
export function formatElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case "f:":
      return "." + rest;
    case "v:":
      return `[=${formatScalar(JSON.parse(rest))}]`;
    case "k:": {
      const keys = JSON.parse(rest) as Record<string, unknown>; // keyElement wrote it.
      const parts = Object.keys(keys).map((name) => `${name}=${formatScalar(keys[name])}`);
      return `[${parts.join(",")}]`;
    }
    case "i:":
      return `[${rest}]`;
    default:
      return "";
  }
}

/** Orders elements as upstream does: the value itself, fields, keys, values, indexes; each kind by its text. */
export function compareElements(a: PathElement, b: PathElement): number {
  const kindA = a.charCodeAt(0);
  const kindB = b.charCodeAt(0);
  if (kindA === kindB) return a < b ? -1 : a === b ? 0 : 1;
  return KIND_ORDER.indexOf(a.charAt(0)) - KIND_ORDER.indexOf(b.charAt(0));
}

const KIND_ORDER = ".fkvi";

/** A value as messages show it: strings quoted, maps and lists spelled out. */
export function formatScalar(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return quote(value);
  if (value instanceof JsonFloat) return String(value.value);
  if (Array.isArray(value)) return `[${value.map(formatScalar).join(",")}]`;
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([key, item]) => `${key}=${formatScalar(item)}`)
      .join("");
  }
  return String(value);
}

function stringifyScalar(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return String(value);
  return stringifyJson(value ?? null);
}

/** JSON quoting; the common case of a plain word is much faster than JSON.stringify. */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

const PLAIN = /^[\w./:@ -]*$/;

function parse(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
