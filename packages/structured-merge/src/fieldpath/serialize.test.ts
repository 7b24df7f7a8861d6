import { describe, expect, it } from "vitest";
import { formatElement, keyElement, valueElement } from "./element.ts";
import { parseFieldSet, sortFieldSet } from "./serialize.ts";

describe("FieldsV1", () => {
  it.each([
    ["not an object", 1],
    ["a list", []],
    ["an element without a kind", { spec: {} }],
    ["an element of an unknown kind", { "x:spec": {} }],
    ["keys that are not JSON", { 'k:{"a"': {} }],
    ["keys that are no object", { "k:[1]": {} }],
    ["an index that is no number", { "i:a": {} }],
    ["a scalar below an element", { "f:spec": 1 }],
  ])("refuses %s", (_, json) => {
    expect(parseFieldSet(json)).toBeUndefined();
  });

  it("is read into canonical elements", () => {
    expect(parseFieldSet({ 'k:{"b": 1, "a": "x"}': { ".": {} }, 'v: "q"': {}, "f:__proto__": {} })).toEqual({
      'k:{"a":"x","b":1}': {},
      'v:"q"': {},
      "f:__proto__": {},
    });
  });

  it("is ordered as upstream orders it", () => {
    const sorted = sortFieldSet({
      'v:"a"': {},
      "f:b": { "f:z": {}, ".": {}, "f:y": {} },
      'k:{"n":"1"}': {},
      "f:a": {},
    });
    expect(JSON.stringify(sorted)).toBe(
      '{"f:a":{},"f:b":{".":{},"f:y":{},"f:z":{}},"k:{\\"n\\":\\"1\\"}":{},"v:\\"a\\"":{}}',
    );
  });
});

describe("path elements", () => {
  it.each([
    ["f:spec", ".spec"],
    [keyElement(["name", "port"], ["a", 80]), '[name="a",port=80]'],
    [valueElement('say "x"'), '[="say \\"x\\""]'],
    ["i:3", "[3]"],
  ])("%s reads %s in messages", (element, text) => {
    expect(formatElement(element)).toBe(text);
  });
});
