import { describe, expect, it } from "vitest";
import { DecodeError } from "./decode.ts";
import { parseYaml } from "./yaml.ts";

describe("parseYaml", () => {
  it.each<[string, unknown]>([
    ["a: yes", { a: true }],
    ["a: off", { a: false }],
    ["a: 0644", { a: 420 }],
    ["a: 0x1f", { a: 31 }],
    ["a: 1_000", { a: 1000 }],
    ["a: 22:22", { a: "22:22" }],
    ["a: 1:20:30", { a: "1:20:30" }],
    ["a: 1.5", { a: 1.5 }],
    ["a: 1.0", { a: 1 }],
    ["a: 1e3", { a: 1000 }],
    ["a: ~", { a: null }],
    ["a:", { a: null }],
    ["a: 2020-01-01", { a: "2020-01-01" }],
    ["a: 2020-01-01T00:00:00Z", { a: "2020-01-01T00:00:00Z" }],
    ["a: 'yes'", { a: "yes" }],
    ['a: "1"', { a: "1" }],
    ["1: x\ntrue: w\nnull: z", { "1": "x", true: "w", null: "z" }],
    ["y: n", { true: false }],
    ["a: 9007199254740993", { a: 9007199254740993n }],
    ["a: 99999999999999999999", { a: 1e20 }],
    ["a: |\n  x\n  y\n", { a: "x\ny\n" }],
    ["- a\n- b: [1, 2]", ["a", { b: [1, 2] }]],
    ['{"a": {"b": [1, null]}}', { a: { b: [1, null] } }],
    ["", null],
    ["# only a comment", null],
    ["a: 1\n---\nb: 2", { a: 1 }],
    ["---\na: 1\n", { a: 1 }],
    ["x: &x {a: 1}\nw: *x\nz:\n  <<: *x\n  b: 2", { x: { a: 1 }, w: { a: 1 }, z: { b: 2, a: 1 } }],
    ["__proto__: 1", JSON.parse('{"__proto__":1}')],
  ])("reads %j", (text, value) => {
    expect(parseYaml(text).value).toEqual(value);
  });

  it("reports keys that occur twice, and lets the last one win", () => {
    expect(parseYaml("a: 1\nb:\n  - c: 1\n    c: 2\na: 3\n")).toEqual({
      value: { a: 3, b: [{ c: 2 }] },
      duplicates: ["b[0].c", "a"],
      strictError:
        'error converting YAML to JSON: yaml: unmarshal errors:\n  line 4: key "c" already set in map\n  line 5: key "a" already set in map',
    });
  });

  it.each(["a: [1", "a: b: c", "a: *none", "\t- a", "? [1]\n: x", "a: .inf"])("refuses %j", (text) => {
    expect(() => parseYaml(text)).toThrow(DecodeError);
  });

  it("refuses aliases that multiply without end", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 9; i++) lines.push(`a${i}: &a${i} [${new Array(10).fill(`*a${i - 1}`).join(", ")}]`);
    expect(() => parseYaml(lines.join("\n"))).toThrow("excessive aliasing");
  });

  it("refuses nesting without end", () => {
    expect(() => parseYaml("[".repeat(100_000))).toThrow(DecodeError);
  });
});
