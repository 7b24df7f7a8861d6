import { deepFreeze, type JsonValue } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { applyMergePatch } from "./merge-patch.ts";

describe("a merge patch", () => {
  it.each<[string, JsonValue, JsonValue, JsonValue]>([
    ["replaces scalars and lists", { a: 1, b: [1, 2] }, { a: 2, b: [3] }, { a: 2, b: [3] }],
    ["merges objects", { a: { b: 1, c: 2 } }, { a: { c: 3, d: 4 } }, { a: { b: 1, c: 3, d: 4 } }],
    ["removes with null", { a: { b: 1, c: 2 } }, { a: { b: null, x: null } }, { a: { c: 2 } }],
    [
      "drops nulls of what is new, in lists too",
      {},
      { a: { b: null, c: [{ d: null, e: 1 }, null] } },
      { a: { c: [{ e: 1 }, null] } },
    ],
    ["drops nulls of what replaces a scalar", { a: 1 }, { a: { b: null } }, { a: {} }],
    ["turns an object into a list", { a: { b: 1 } }, { a: [1] }, { a: [1] }],
    [
      "keeps __proto__ an ordinary key",
      {},
      JSON.parse('{"__proto__":{"x":1}}'),
      JSON.parse('{"__proto__":{"x":1}}'),
    ],
  ])("%s", (_, document, patch, expected) => {
    expect(applyMergePatch(deepFreeze(document), deepFreeze(patch))).toEqual(expected);
  });

  it.each<[JsonValue, string]>([
    [[], "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"],
    [
      "x",
      "error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}",
    ],
    [null, "Invalid JSON Patch"],
  ])("is refused when it is %j", (patch, message) => {
    expect(() => applyMergePatch({}, patch)).toThrow(message);
  });
});
