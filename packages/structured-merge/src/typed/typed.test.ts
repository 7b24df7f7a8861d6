import { JsonFloat } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { DEDUCED, type MergeSchema } from "../schema.ts";
import { compare } from "./compare.ts";
import { formatTypedErrors } from "./errors.ts";
import { merge } from "./merge.ts";
import { extractItems, removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import { validateTyped } from "./validate.ts";

const string: MergeSchema = { type: "string" };
const item: MergeSchema = {
  type: "object",
  fields: new Map<string, { schema: MergeSchema; default?: unknown }>([
    ["name", { schema: string }],
    ["port", { schema: { type: "integer" }, default: 80 }],
    ["v", { schema: string }],
  ]),
};
const schema: MergeSchema = {
  type: "object",
  fields: new Map<string, { schema: MergeSchema }>([
    ["s", { schema: string }],
    ["n", { schema: { type: "integer" } }],
    ["on", { schema: { type: "boolean" } }],
    ["struct", { schema: item }],
    ["map", { schema: { type: "map", values: string } }],
    ["atomicMap", { schema: { type: "map", values: string, mapType: "atomic" } }],
    ["atomicList", { schema: { type: "list", items: string, listType: "atomic" } }],
    ["set", { schema: { type: "list", items: string, listType: "set" } }],
    ["list", { schema: { type: "list", items: item, listType: "map", listMapKeys: ["port", "name"] } }],
    ["free", { schema: DEDUCED }],
  ]),
};
const a80 = 'k:{"name":"a","port":80}';
const b81 = 'k:{"name":"b","port":81}';

describe("the paths of a value", () => {
  it.each<[string, unknown, unknown]>([
    ["scalars are members", { s: "x", n: 1 }, { "f:s": {}, "f:n": {} }],
    ["structs are not members", { struct: { v: "1" } }, { "f:struct": { "f:v": {} } }],
    ["empty structs and nulls are", { struct: {}, map: null }, { "f:struct": {}, "f:map": {} }],
    ["keys of maps are, maps are not", { map: { k: "1" } }, { "f:map": { "f:k": {} } }],
    [
      "atomic values are leaves",
      { atomicMap: { k: "1" }, atomicList: [] },
      { "f:atomicMap": {}, "f:atomicList": {} },
    ],
    ["items of sets are", { set: ["x"] }, { "f:set": { 'v:"x"': {} } }],
    ["an empty set has none", { set: [] }, {}],
    [
      "items with keys are, and missing keys take their default",
      { list: [{ name: "a", v: "1" }] },
      { "f:list": { [a80]: { ".": {}, "f:name": {}, "f:v": {} } } },
    ],
    [
      "without a schema maps are granular and lists atomic",
      { free: { a: [1], b: { c: 1 } } },
      { "f:free": { "f:a": {}, "f:b": { ".": {}, "f:c": {} } } },
    ],
  ])("%s", (_, value, expected) => {
    expect(toFieldSet(value, schema)).toEqual(expected);
  });
});

describe("comparison", () => {
  it.each<[string, unknown, unknown, Partial<Record<"added" | "modified" | "removed", unknown>>]>([
    [
      "finds nothing between equal values",
      { s: "x", list: [{ name: "a" }] },
      { s: "x", list: [{ name: "a" }] },
      {},
    ],
    ["finds a changed scalar", { s: "x" }, { s: "y" }, { modified: { "f:s": {} } }],
    ["counts whole numbers equal however written", { n: 1 }, { n: new JsonFloat("1.0") }, {}],
    [
      "marks everything of what appears",
      {},
      { map: { k: "1" }, struct: {} },
      { added: { "f:map": { ".": {}, "f:k": {} }, "f:struct": {} } },
    ],
    [
      "marks only the parts of what was null",
      { map: null },
      { map: { k: "1" } },
      { added: { "f:map": { "f:k": {} } } },
    ],
    [
      "marks everything of what disappears",
      { list: [{ name: "a" }] },
      { list: null },
      { removed: { "f:list": { [a80]: { ".": {}, "f:name": {} } } } },
    ],
    ["sees an order of items as no difference", { set: ["x", "y"] }, { set: ["y", "x"] }, {}],
    [
      "matches items by keys",
      { list: [{ name: "a", v: "1" }] },
      {
        list: [
          { name: "b", port: 81 },
          { name: "a", v: "2" },
        ],
      },
      {
        added: { "f:list": { [b81]: { ".": {}, "f:name": {}, "f:port": {} } } },
        modified: { "f:list": { [a80]: { "f:v": {} } } },
      },
    ],
    [
      "takes a changed atomic list as one",
      { atomicList: ["1"] },
      { atomicList: ["2"] },
      { modified: { "f:atomicList": {} } },
    ],
    [
      "marks a new duplicate",
      { set: ["x"] },
      { set: ["x", "x"] },
      {
        added: { "f:set": { 'v:"x"': {} } },
        removed: { "f:set": { 'v:"x"': {} } },
      },
    ],
    [
      "follows a value that changes its kind",
      { free: { a: 1 } },
      { free: { a: { b: 1 } } },
      {
        modified: { "f:free": { "f:a": {} } },
        added: { "f:free": { "f:a": { "f:b": {} } } },
      },
    ],
  ])("%s", (_, old, updated, expected) => {
    expect(compare(old, updated, schema)).toEqual({ added: {}, modified: {}, removed: {}, ...expected });
  });

  it("does not walk parts that are shared", () => {
    const shared = new Proxy({}, { get: () => expect.unreachable(), ownKeys: () => expect.unreachable() });
    expect(compare({ struct: shared, s: "1" }, { struct: shared, s: "2" }, schema).modified).toEqual({
      "f:s": {},
    });
  });
});

describe("merging", () => {
  it.each<[string, unknown, unknown, unknown]>([
    ["keeps what is not applied", { s: "1", n: 2 }, { n: 3 }, { s: "1", n: 3 }],
    ["merges maps and structs", { map: { a: "1" } }, { map: { b: "2" } }, { map: { a: "1", b: "2" } }],
    [
      "replaces atomic values",
      { atomicMap: { a: "1" } },
      { atomicMap: { b: "2" } },
      { atomicMap: { b: "2" } },
    ],
    ["keeps a map over an empty one", { map: { a: "1" } }, { map: {} }, { map: { a: "1" } }],
    ["adds to sets", { set: ["x", "y"] }, { set: ["z"] }, { set: ["x", "y", "z"] }],
    [
      "takes the applied order of shared items",
      { set: ["a", "b", "c"] },
      { set: ["c", "a"] },
      { set: ["b", "c", "a"] },
    ],
    ["keeps others where they are", { set: ["a", "b", "c"] }, { set: ["a", "c"] }, { set: ["a", "b", "c"] }],
    [
      "merges items by keys",
      { list: [{ name: "a", port: 80, v: "1" }] },
      { list: [{ name: "b", port: 81 }, { name: "a" }] },
      {
        list: [
          { name: "b", port: 81 },
          { name: "a", port: 80, v: "1" },
        ],
      },
    ],
    [
      "keeps __proto__ an ordinary key",
      {},
      JSON.parse('{"map":{"__proto__":"1"}}'),
      JSON.parse('{"map":{"__proto__":"1"}}'),
    ],
  ])("%s", (_, base, applied, expected) => {
    expect(merge(base, applied, schema)).toEqual(expected);
  });

  it("shares what does not change", () => {
    const base = { struct: { v: "1" }, s: "x", set: ["a"] };
    const merged = merge(base, { s: "y", set: ["a"] }, schema) as typeof base;
    expect(merged.struct).toBe(base.struct);
    expect(merged.set).toBe(base.set);
    expect(merge(base, { s: "x" }, schema)).toBe(base);
  });
});

describe("removing and extracting", () => {
  const value = {
    s: "1",
    map: { a: "1", b: "2" },
    list: [{ name: "a", v: "1" }],
    set: ["x"],
    atomicList: ["q"],
  };

  it("removes members with all below them, and lists that become empty", () => {
    const set = { "f:map": { "f:a": {} }, "f:list": { [a80]: {} }, "f:set": { 'v:"y"': {} } };
    const rest = removeItems(value, set, schema) as typeof value;
    expect(rest).toEqual({ s: "1", map: { b: "2" }, set: ["x"], atomicList: ["q"] });
    expect(rest.set).toBe(value.set);
  });

  it("extracts what a set names", () => {
    const set = {
      "f:map": { "f:b": {} },
      "f:list": { [a80]: { ".": {}, "f:name": {} } },
      "f:atomicList": {},
    };
    expect(extractItems(value, set, schema)).toEqual({
      map: { b: "2" },
      list: [{ name: "a" }],
      atomicList: ["q"],
    });
  });
});

describe("validation", () => {
  it.each<[unknown, string]>([
    [{ n: "x" }, ".n: expected numeric (int or float), got string"],
    [{ s: 1 }, ".s: expected string, got &value.valueUnstructured{Value:1}"],
    [{ on: 1 }, ".on: expected boolean, got &{1}"],
    [{ bogus: 1 }, ".bogus: field not declared in schema"],
    [{ set: ["a", "a"] }, '.set: duplicate entries for key [="a"]'],
    [
      { set: [null] },
      ".set: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      { list: [{ name: "a" }, { name: "a", port: 80 }] },
      '.list: duplicate entries for key [name="a",port=80]',
    ],
    [
      { list: [{ port: 1 }] },
      '.list: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    ],
    [{ list: 1 }, ".list: expected list, got &{1}"],
    [{ struct: "x" }, ".struct: expected map, got &{x}"],
    [
      { list: [{ name: "a", v: 1 }] },
      '.list[name="a",port=80].v: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      { s: 1, n: "x" },
      "errors:\n  .s: expected string, got &value.valueUnstructured{Value:1}\n  .n: expected numeric (int or float), got string",
    ],
  ])("of %j says %s", (value, message) => {
    expect(formatTypedErrors(validateTyped(value, schema))).toBe(message);
  });

  it("accepts nulls, any JSON in free-form parts, and duplicates where they are allowed", () => {
    expect(validateTyped({ s: null, free: [{ a: 1 }], set: null }, schema)).toEqual([]);
    expect(validateTyped({ set: ["a", "a"] }, schema, { allowDuplicates: true })).toEqual([]);
  });
});
