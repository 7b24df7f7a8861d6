import { createSeededRandom } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import {
  difference,
  ensureNamedFieldsAreMembers,
  type FieldSet,
  hasPath,
  intersection,
  leavesOf,
  pathsOf,
  recursiveDifference,
  setOfPaths,
  union,
} from "./set.ts";

const random = createSeededRandom(7);
const pick = (count: number): number => Math.floor(random.next() * count);

function randomPaths(): string[][] {
  return Array.from({ length: pick(8) }, () =>
    Array.from({ length: 1 + pick(3) }, () => ["f:a", "f:b", 'k:{"n":"x"}', 'v:"y"'][pick(4)]!),
  );
}

const keysOf = (set: FieldSet): string[] =>
  pathsOf(set)
    .map((path) => path.join("/"))
    .sort();
const keys = (paths: string[][]): string[] => [...new Set(paths.map((path) => path.join("/")))].sort();

describe("field sets", () => {
  it("agree with plain sets of paths", () => {
    for (let round = 0; round < 500; round++) {
      const left = randomPaths();
      const right = randomPaths();
      const a = setOfPaths(left);
      const b = setOfPaths(right);
      const inRight = new Set(keys(right));
      const below = (key: string): boolean => [...inRight].some((other) => key.startsWith(`${other}/`));
      expect(keysOf(a)).toEqual(keys(left));
      expect(keysOf(union(a, b))).toEqual(keys([...left, ...right]));
      expect(keysOf(difference(a, b))).toEqual(keys(left).filter((key) => !inRight.has(key)));
      expect(keysOf(intersection(a, b))).toEqual(keys(left).filter((key) => inRight.has(key)));
      expect(keysOf(recursiveDifference(a, b))).toEqual(
        keys(left).filter((key) => !inRight.has(key) && !below(key)),
      );
      for (const path of left) expect(hasPath(a, path)).toBe(true);
      expect(union(a, a)).toBe(a);
      expect(keysOf(setOfPaths(pathsOf(a)))).toEqual(keysOf(a));
    }
  });

  it("write a member with children with a dot and without children as an empty object", () => {
    expect(setOfPaths([["f:a"], ["f:a", "f:b"], ["f:c", "f:d"]])).toEqual({
      "f:a": { ".": {}, "f:b": {} },
      "f:c": { "f:d": {} },
    });
    expect(difference({ "f:a": { ".": {}, "f:b": {} } }, { "f:a": { "f:b": {} } })).toEqual({ "f:a": {} });
    expect(difference({ "f:a": { ".": {}, "f:b": {} } }, { "f:a": {} })).toEqual({ "f:a": { "f:b": {} } });
  });

  it("share what an operation leaves alone", () => {
    const a = { "f:a": { "f:x": {} }, "f:b": { "f:y": {} } };
    const rest = difference(a, { "f:b": { "f:y": {} } });
    expect(rest).toEqual({ "f:a": { "f:x": {} } });
    expect(rest["f:a"]).toBe(a["f:a"]);
    expect(difference(a, { "f:c": {} })).toBe(a);
  });

  it("name their leaves", () => {
    expect(leavesOf({ "f:a": { ".": {}, "f:b": {} }, "f:c": {} })).toEqual({
      "f:a": { "f:b": {} },
      "f:c": {},
    });
  });

  it("gain the structs on the way to their members when asked to", () => {
    const inner = { type: "object", fields: new Map([["x", { schema: { type: "string" } }]]) } as const;
    const schema = {
      type: "object",
      fields: new Map<string, { schema: never }>([
        ["s", { schema: inner as never }],
        ["m", { schema: { type: "map", values: inner } as never }],
      ]),
    } as const;
    expect(
      ensureNamedFieldsAreMembers({ "f:s": { "f:x": {} }, "f:m": { "f:k": { "f:x": {} } } }, schema),
    ).toEqual({
      "f:s": { ".": {}, "f:x": {} },
      "f:m": { ".": {}, "f:k": { "f:x": {} } },
    });
  });

  it("are listed level by level, fields before keys before values", () => {
    const set = setOfPaths([['v:"q"'], ["f:b"], ["f:a", "f:x"], ['k:{"n":"1"}'], ["f:a"]]);
    expect(pathsOf(set)).toEqual([["f:a"], ["f:b"], ['k:{"n":"1"}'], ['v:"q"'], ["f:a", "f:x"]]);
  });
});
