import { deepFreeze, JsonFloat, type JsonValue } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { isStatusError } from "../errors/status-error.ts";
import { applyJsonPatch } from "./json-patch.ts";

const document: JsonValue = deepFreeze({ a: { b: ["x", "y"], "s/t~u": 1, n: null }, c: 1 });

function failureOf(patch: JsonValue): { code: number; message: string; details: unknown } {
  try {
    applyJsonPatch(document, patch);
  } catch (error) {
    if (isStatusError(error))
      return { code: error.code, message: error.message, details: error.status.details };
    throw error;
  }
  return expect.unreachable();
}

describe("a JSON patch", () => {
  it.each<[string, JsonValue, JsonValue]>([
    [
      "adds an entry",
      [{ op: "add", path: "/a/z", value: 2 }],
      { a: { b: ["x", "y"], "s/t~u": 1, n: null, z: 2 }, c: 1 },
    ],
    ["replaces by adding", [{ op: "add", path: "/a", value: 2 }], { a: 2, c: 1 }],
    [
      "inserts into a list",
      [{ op: "add", path: "/a/b/1", value: "q" }],
      { a: { b: ["x", "q", "y"], "s/t~u": 1, n: null }, c: 1 },
    ],
    [
      "appends to a list",
      [{ op: "add", path: "/a/b/-", value: "q" }],
      { a: { b: ["x", "y", "q"], "s/t~u": 1, n: null }, c: 1 },
    ],
    [
      "counts negative indexes from the end",
      [{ op: "remove", path: "/a/b/-1" }],
      { a: { b: ["x"], "s/t~u": 1, n: null }, c: 1 },
    ],
    [
      "appends at -1",
      [{ op: "add", path: "/a/b/-1", value: "q" }],
      { a: { b: ["x", "y", "q"], "s/t~u": 1, n: null }, c: 1 },
    ],
    ["unescapes pointers", [{ op: "remove", path: "/a/s~1t~0u" }], { a: { b: ["x", "y"], n: null }, c: 1 }],
    [
      "replaces what is there",
      [{ op: "replace", path: "/c", value: { d: 1 } }],
      { a: (document as never)["a"], c: { d: 1 } },
    ],
    [
      "replaces a null",
      [{ op: "replace", path: "/a/n", value: 1 }],
      { a: { b: ["x", "y"], "s/t~u": 1, n: 1 }, c: 1 },
    ],
    ["replaces the whole", [{ op: "replace", path: "", value: { q: 1 } }], { q: 1 }],
    [
      "takes a missing value for null",
      [{ op: "add", path: "/d" }],
      { a: (document as never)["a"], c: 1, d: null },
    ],
    [
      "moves",
      [{ op: "move", from: "/a/b/0", path: "/d" }],
      { a: { b: ["y"], "s/t~u": 1, n: null }, c: 1, d: "x" },
    ],
    [
      "copies",
      [
        { op: "copy", from: "/a/b", path: "/d" },
        { op: "add", path: "/d/-", value: 1 },
      ],
      { a: (document as never)["a"], c: 1, d: ["x", "y", 1] },
    ],
    [
      "tests before it goes on",
      [
        { op: "test", path: "/c", value: 1 },
        { op: "remove", path: "/c" },
      ],
      { a: (document as never)["a"] },
    ],
    ["finds a missing entry equal to null", [{ op: "test", path: "/none", value: null }], document],
    ["does nothing when empty", [], document],
    [
      "sees what earlier operations did",
      [
        { op: "add", path: "/d", value: { e: 1 } },
        { op: "remove", path: "/d/e" },
      ],
      { a: (document as never)["a"], c: 1, d: {} },
    ],
  ])("%s", (_, patch, expected) => {
    expect(applyJsonPatch(document, deepFreeze(patch))).toEqual(expected);
  });

  it.each<[string, JsonValue]>([
    ["an unknown operation", { op: "swap", path: "/c" }],
    ["no path", { op: "remove" }],
    ["a path that does not lead anywhere", { op: "add", path: "/none/x", value: 1 }],
    ["a path through a scalar", { op: "add", path: "/c/x", value: 1 }],
    ["removing a missing entry", { op: "remove", path: "/none" }],
    ["replacing a missing entry", { op: "replace", path: "/none", value: 1 }],
    ["an index behind the end", { op: "remove", path: "/a/b/2" }],
    ["an index that is no number", { op: "add", path: "/a/b/x", value: 1 }],
    ["a failed test", { op: "test", path: "/c", value: new JsonFloat("1.0") }],
    ["adding the whole", { op: "add", path: "", value: {} }],
    ["moving from nowhere", { op: "move", from: "/none", path: "/d" }],
    ["a null operation", null],
  ])("is refused for %s, without saying why", (_, operation) => {
    expect(failureOf([operation])).toEqual({
      code: 422,
      message: "the server rejected our request due to an error in our request",
      details: {},
    });
  });

  it("is refused for what is no patch and for too many operations", () => {
    expect(failureOf({}).message).toBe(
      "error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch",
    );
    expect(failureOf(["x"]).message).toBe(
      "error decoding patch: json: cannot unmarshal string into Go value of type jsonpatch.Operation",
    );
    const many = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/c", value: 1 }));
    expect(failureOf(many)).toMatchObject({
      code: 413,
      message:
        "Request entity is too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
    });
  });

  it("is refused when more than 3 MiB are copied", () => {
    const copies = (count: number, from: string): JsonValue[] =>
      Array.from({ length: count }, (_, i) => ({ op: "copy", from, path: `/copies/${i}` }));
    const add = { op: "add", path: "/copies", value: { text: "x".repeat(1024 * 1024 - 2) } };
    expect(applyJsonPatch(document, [add, ...copies(3, "/copies/text")])).toMatchObject({ c: 1 });
    expect(failureOf([add, ...copies(4, "/copies/text")]).code).toBe(422);
    expect(failureOf([add, ...copies(60, "")]).code).toBe(422);
  });

  it("shares what it leaves alone and keeps __proto__ an ordinary key", () => {
    const patched = applyJsonPatch(document, [
      { op: "add", path: "/__proto__", value: { polluted: true } },
    ]) as never;
    expect(patched["a"]).toBe((document as never)["a"]);
    expect(Object.keys(patched)).toContain("__proto__");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(failureOf([{ op: "add", path: "/a/constructor/prototype/x", value: 1 }]).code).toBe(422);
  });
});
