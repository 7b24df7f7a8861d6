import { describe, expect, it } from "vitest";
import { countIndexes, firstCommonIndex } from "./indexes.ts";

describe("countIndexes", () => {
  it.each([
    ["", 0],
    ["0", 1],
    ["1,3-5,7", 5],
  ])("%j has %i", (list, count) => expect(countIndexes(list, 10)).toBe(count));

  it.each([
    ["3,1", "non-increasing order, previous: 3, current: 1"],
    ["5-5", "non-increasing order, previous: 5, current: 5"],
    ["10", 'too large index: "10"'],
    ["a", 'cannot convert string to integer for index: "a"'],
    [
      "1-2-3",
      "the fragment \"1-2-3\" violates the requirement that an index interval can have at most two parts separated by '-'",
    ],
  ])("%j: %s", (list, message) => expect(() => countIndexes(list, 10)).toThrow(message));
});

describe("firstCommonIndex", () => {
  it.each([
    ["0-3,7", "4-6,8", undefined],
    ["0-3,7", "5,7", 7],
    ["0-3", "2-9", 2],
    ["", "1", undefined],
  ])("of %j and %j is %s", (a, b, expected) => expect(firstCommonIndex(a, b, 10)).toBe(expected));
});
