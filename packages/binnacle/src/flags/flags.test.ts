import { describe, expect, it } from "vitest";
import { parseDuration } from "./parse-duration.ts";
import { parseNode } from "./parse-node.ts";
import { parseBoolean, parseChoice, parseClusterName, parseCount, parseList } from "./parse-values.ts";

describe("durations", () => {
  it.each([
    ["0", 0],
    ["10m", 600_000],
    ["1h30m", 5_400_000],
    ["1.5s", 1_500],
    ["250ms", 250],
    ["+5s", 5_000],
  ])("reads %s", (text, ms) => expect(parseDuration(text, "--x")).toBe(ms));

  it.each(["", "10", "5 m", "-5s", "5d", "m", "1h30"])("refuses %j in one sentence", (text) => {
    expect(() => parseDuration(text, "--x")).toThrow(`--x: ${JSON.stringify(text)} is not a duration`);
  });
});

describe("nodes", () => {
  it("reads name, labels and capacity", () => {
    expect(parseNode("name=gpu-1,labels=a=b;c/d=e=f,capacity=cpu=4;nvidia.com/gpu=1", 1)).toEqual({
      name: "gpu-1",
      labels: { a: "b", "c/d": "e=f" },
      capacity: { cpu: "4", "nvidia.com/gpu": "1" },
    });
  });

  it("gives a name by position", () => expect(parseNode("capacity=cpu=1", 3).name).toBe("node-3"));

  it.each([
    ["big", /cannot be read; such a value was expected/],
    ["size=3", /"size" is unknown/],
    ["name=a,name=b", /name is given twice/],
    ["name=A", /"A" is not a name of a node/],
    ["name=a,capacity=cpu=lots", /"lots" of cpu is not a quantity/],
    ["name=a,labels=x", /cannot be read/],
  ])("refuses %j in one sentence", (text, message) => expect(() => parseNode(text, 1)).toThrow(message));
});

describe("values", () => {
  it("reads lists given together or one by one", () => {
    expect(parseList(["a,b", " c ", ""])).toEqual(["a", "b", "c"]);
    expect(parseList(undefined)).toEqual([]);
  });

  it("reads booleans as Go does, and a flag without a value as true", () => {
    expect([parseBoolean(true, "-"), parseBoolean("T", "-"), parseBoolean("0", "-")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    [() => parseCount("x", "--nodes", 9), '--nodes: "x" is not a whole number from 0 to 9'],
    [() => parseCount("10", "--nodes", 9), '--nodes: "10" is not a whole number from 0 to 9'],
    [() => parseBoolean("yes", "--b"), '--b: "yes" is neither true nor false'],
    [() => parseChoice("z", "--c", ["a", "b"]), '--c: "z" is unknown; known are a, b'],
    [() => parseClusterName("../x"), '--name: "../x" is not a name'],
  ])("says in one sentence what was expected", (parse, message) => expect(parse).toThrow(message));
});
