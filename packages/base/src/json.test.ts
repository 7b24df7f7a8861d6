import { describe, expect, it } from "vitest";
import { cloneJson, deepFreeze, JsonFloat, jsonEquals, parseJson, stringifyJson } from "./json.ts";
import { createSeededRandom } from "./random.ts";

describe("parseJson", () => {
  it.each([
    ["keeps integers beyond 2^53 exact", "9223372036854775807", 9223372036854775807n],
    ["keeps small integers as numbers", "-12", -12],
    ["tells 1.0 from 1", "1.0", new JsonFloat("1.0")],
    ["reads fractions", "1.5", 1.5],
    ["reads escapes", '"a\\n\\u00e9\\/\\"b"', 'a\né/"b'],
    [
      "reads nested values",
      ' { "a" : [ 1 , { "b" : null } ] , "c" : true } ',
      { a: [1, { b: null }], c: true },
    ],
  ])("%s", (_title, text, value) => {
    expect(parseJson(text).value).toEqual(value);
  });

  it("takes __proto__ for an ordinary key", () => {
    const { value } = parseJson('{"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("reports every key that is given twice, by path, and keeps the last", () => {
    const { value, duplicates } = parseJson('{"a":1,"a":2,"b":[{"c":1},{"d":1,"d":2}]}');
    expect(duplicates).toEqual(["a", "b[1].d"]);
    expect(value).toEqual({ a: 2, b: [{ c: 1 }, { d: 2 }] });
  });

  it.each([
    ["", "unexpected end of JSON input"],
    ['{"a":', "unexpected end of JSON input"],
    ["x", "invalid character 'x' looking for beginning of value"],
    ["{a}", "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ["[1 2]", "invalid character '2' after array element"],
    ["1 2", "invalid character '2' after top-level value"],
    ["tru!", "invalid character '!' in literal true (expecting 'e')"],
    ["01", "invalid character '1' after top-level value"],
    ["1.x", "invalid character 'x' after decimal point in numeric literal"],
  ])("words the error of %j as Go does", (text, message) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ name: "JsonSyntaxError", message }));
  });

  it("bounds the depth", () => {
    expect(() => parseJson("[".repeat(20), { maxDepth: 10 })).toThrow("exceeded max depth");
  });

  it.each([1, 2, 3])("agrees with JSON.parse on random values (seed %i)", (seed) => {
    const random = createSeededRandom(seed);
    for (let i = 0; i < 300; i++) {
      const value = randomValue(random.next.bind(random), 4);
      expect(JSON.parse(stringifyJson(parseJson(JSON.stringify(value)).value))).toEqual(value);
    }
  });
});

describe("plain JSON values", () => {
  it("compares without regard to key order and to undefined properties", () => {
    expect(jsonEquals({ a: 1, b: [1, 2], c: undefined }, { b: [1, 2], a: 1 })).toBe(true);
    expect(jsonEquals({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(jsonEquals({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(jsonEquals([], {})).toBe(false);
  });

  it("copies deeply, so that the copy of something frozen can be changed", () => {
    const original = deepFreeze({ a: { b: [1, { c: 2 }] } });
    const copy = cloneJson(original);
    copy.a.b.push(3);
    expect([original.a.b.length, copy.a.b.length]).toEqual([2, 3]);
  });

  it("writes bigint as a number", () => {
    expect(stringifyJson({ a: [9223372036854775807n], b: "x", c: undefined })).toBe(
      '{"a":[9223372036854775807],"b":"x"}',
    );
  });
});

function randomValue(next: () => number, depth: number): unknown {
  const kind = Math.floor(next() * (depth > 0 ? 6 : 4));
  switch (kind) {
    case 0:
      return Math.floor(next() * 1e9) - 5e8;
    case 1:
      return `s"\\\n${Math.floor(next() * 1e6).toString(36)}é`;
    case 2:
      return next() < 0.5;
    case 3:
      return null;
    case 4:
      return Array.from({ length: Math.floor(next() * 4) }, () => randomValue(next, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: Math.floor(next() * 4) }, (_, i) => [`k${i}`, randomValue(next, depth - 1)]),
      );
  }
}
