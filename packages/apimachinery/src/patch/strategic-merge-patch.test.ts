import { deepFreeze, type JsonValue } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { isStatusError } from "../errors/status-error.ts";
import type { Field, ObjectSchema, Schema } from "../schema/schema.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const string: Schema = { type: "string" };
const struct = (
  goName: string,
  fields: Record<string, Schema | Omit<Field, "name" | "required" | "omit">>,
): ObjectSchema => ({
  type: "object",
  goName,
  fields: new Map(
    Object.entries(fields).map(([name, field]) => [
      name,
      { name, required: false, omit: "zero", ...("type" in field ? { schema: field } : field) },
    ]),
  ),
});
const mergeList = (items: Schema, patchMergeKey?: string, retainKeys = false) => ({
  schema: { type: "list", items, listType: "atomic" } as const,
  patchStrategy: retainKeys ? (["merge", "retainKeys"] as const) : (["merge"] as const),
  ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
});
const variable = struct("EnvVar", { name: string, value: string });
const container = struct("Container", {
  name: string,
  image: string,
  args: { type: "list", items: string, listType: "atomic" },
  env: mergeList(variable, "name"),
});
const schema = struct("Deployment", {
  labels: { type: "map", values: string },
  finalizers: mergeList(string),
  containers: mergeList(container, "name"),
  volumes: mergeList(
    struct("Volume", { name: string, emptyDir: { type: "any" }, hostPath: { type: "any" } }),
    "name",
    true,
  ),
  strategy: {
    schema: struct("Strategy", { type: string, rolling: struct("Rolling", { max: string }) }),
    patchStrategy: ["retainKeys"],
  },
  whole: { schema: struct("Whole", { a: string, b: string }), patchStrategy: ["replace"] },
  unkeyed: mergeList(variable),
  data: { type: "any", name: "io.k8s.apimachinery.pkg.runtime.RawExtension" },
});

const live: JsonValue = deepFreeze({
  labels: { a: "1", b: "2" },
  finalizers: ["x", "y"],
  containers: [
    {
      name: "a",
      image: "1",
      args: ["p", "q"],
      env: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
      ],
    },
    { name: "b", image: "1" },
  ],
  volumes: [{ name: "v", emptyDir: {} }],
  strategy: { type: "RollingUpdate", rolling: { max: "1" } },
  whole: { a: "1", b: "2" },
});
const of = (patch: JsonValue): Record<string, JsonValue> =>
  applyStrategicMergePatch(live, deepFreeze(patch), schema) as never;
const names = (list: JsonValue | undefined): unknown => (list as { name: string }[]).map(({ name }) => name);

describe("a strategic merge patch", () => {
  it("merges maps, and null removes", () => {
    expect(of({ labels: { a: null, c: "3" } })["labels"]).toEqual({ b: "2", c: "3" });
    expect(of({ labels: null })).not.toHaveProperty("labels");
    expect(of({ whole: { a: "9" } })["whole"]).toEqual({ a: "9" });
  });

  it("merges lists by key and replaces others", () => {
    const { containers } = of({
      containers: [{ name: "a", image: "2", args: ["z"], env: [{ name: "B", value: "3" }] }],
    });
    expect(containers).toEqual([
      {
        name: "a",
        image: "2",
        args: ["z"],
        env: [
          { name: "A", value: "1" },
          { name: "B", value: "3" },
        ],
      },
      { name: "b", image: "1" },
    ]);
  });

  it("puts new items first, and others where they were among the rest", () => {
    expect(names(of({ containers: [{ name: "c" }] })["containers"])).toEqual(["c", "a", "b"]);
    expect(names(of({ containers: [{ name: "b" }, { name: "a" }] })["containers"])).toEqual(["b", "a"]);
    expect(of({ finalizers: ["z"] })["finalizers"]).toEqual(["z", "x", "y"]);
    expect(of({ finalizers: ["y", "x"] })["finalizers"]).toEqual(["y", "x"]);
  });

  it("deletes items, and replaces a list or a map when told to", () => {
    expect(
      names(
        of({
          containers: [
            { name: "a", $patch: "delete" },
            { name: "none", $patch: "delete" },
          ],
        })["containers"],
      ),
    ).toEqual(["b"]);
    expect(of({ containers: [{ $patch: "replace" }, { name: "solo" }] })["containers"]).toEqual([
      { name: "solo" },
    ]);
    expect(of({ labels: { $patch: "replace", only: "1" } })["labels"]).toEqual({ only: "1" });
    expect(of({ labels: { $patch: "delete" } })["labels"]).toEqual({});
    expect(of({ $patch: "delete" })).toEqual({});
  });

  it("drops what holds directives where there is nothing to merge with", () => {
    const patch = {
      labels: { $patch: "replace", only: "1" },
      containers: [{ name: "a", $patch: "delete" }, { name: "b" }],
      whole: { a: null, b: "1" },
    };
    expect(applyStrategicMergePatch({}, patch, schema)).toEqual({
      containers: [{ name: "b" }],
      whole: { b: "1" },
    });
  });

  it("deletes from lists of scalars and orders lists", () => {
    expect(
      of({ "$deleteFromPrimitiveList/finalizers": ["x"], "$setElementOrder/finalizers": ["y"] })[
        "finalizers"
      ],
    ).toEqual(["y"]);
    expect(of({ "$deleteFromPrimitiveList/none": ["x"] })).toEqual(live);
    const patch = {
      "$setElementOrder/containers": [{ name: "b" }, { name: "a" }],
      containers: [{ name: "a", image: "2" }],
    };
    expect(of(patch)["containers"]).toMatchObject([{ name: "b" }, { name: "a", image: "2" }]);
  });

  it("keeps only the keys it retains", () => {
    expect(
      of({ volumes: [{ name: "v", $retainKeys: ["name", "hostPath"], hostPath: { path: "/" } }] })["volumes"],
    ).toEqual([{ name: "v", hostPath: { path: "/" } }]);
    expect(of({ strategy: { $retainKeys: ["type"], type: "Recreate" } })["strategy"]).toEqual({
      type: "Recreate",
    });
  });

  it.each<[JsonValue, number, string]>([
    [{ containers: [{ image: "x" }] }, 500, "map: map[image:x] does not contain declared merge key: name"],
    [
      { containers: [{ name: "a", $patch: "odd" }] },
      500,
      "unknown patch type: odd in map: map[$patch:odd name:a]",
    ],
    [{ containers: [{ $patch: "merge" }] }, 500, "merging lists cannot yet be specified in the patch"],
    [{ labels: { $patch: "odd" } }, 500, "unknown patch type: odd in map: map[$patch:odd]"],
    [{ $setElementOrder_x: 1 }, 500, "expected a []interface {}, but received a int64"],
    [{ $setElementOrder_x: [] }, 400, "invalid patch format of $setElementOrder list"],
    [{ $deleteFromPrimitiveList_x: [] }, 400, "invalid patch format of primitive list"],
    [{ strategy: { $retainKeys: ["rolling"], type: "x" } }, 400, "invalid patch format of retainKeys"],
    [
      { "$setElementOrder/containers": [{ name: "b" }], containers: [{ name: "a" }] },
      500,
      "The order in patch list:\n[map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n",
    ],
    [{ finalizers: ["a", 1] }, 500, "list element types are not identical: [[x y] [a 1]]"],
    [[], 400, "json: cannot unmarshal array into Go value of type map[string]interface {}"],
  ])("%j is refused with %i %s", (patch, code, message) => {
    try {
      of(patch);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      expect({ code: error.code, message: error.message }).toEqual({ code, message });
      return;
    }
    expect.unreachable();
  });

  it("names the struct that lacks a field it would have to merge", () => {
    const data = { data: { x: { y: 1 } } };
    expect(() => applyStrategicMergePatch(data, data, schema)).toThrow(
      'unable to find api field in struct RawExtension for the json field "x"',
    );
  });
});
