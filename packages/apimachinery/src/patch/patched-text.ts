import { type JsonValue, stringifyJson } from "@binnacle/base";
import { isJsonObject } from "./json-object.ts";

/**
 * A document after a JSON patch or merge patch as upstream's library writes it, which messages about the result show:
 * objects that the patch went through have their keys in order, the rest is as it was. `patched` shares with `document`
 * what was not touched, as the patch functions leave it.
 */
export function patchedText(document: JsonValue, patched: JsonValue): string {
  const untouched = new Set<JsonValue>();
  collect(document, untouched);
  return textOf(patched, untouched);
}

function collect(value: JsonValue, into: Set<JsonValue>): void {
  if (!Array.isArray(value) && !isJsonObject(value)) return;
  into.add(value);
  for (const inner of Object.values<JsonValue>(value)) collect(inner, into);
}

function textOf(value: JsonValue, untouched: ReadonlySet<JsonValue>): string {
  if (untouched.has(value)) return stringifyJson(value);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, untouched)).join(",")}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${textOf(value[key]!, untouched)}`);
  return `{${members.join(",")}}`;
}
