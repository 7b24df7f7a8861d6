import type { JsonValue } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import type { Field, ObjectSchema, Schema } from "../schema/schema.ts";
import { restoreFailure } from "./restore-failure.ts";

const field = (name: string, schema: Schema): [string, Field] => [
  name,
  { name, schema, required: false, omit: "zero" },
];
const schema: ObjectSchema = {
  type: "object",
  fields: new Map([
    field("list", { type: "list", items: { type: "string" }, listType: "atomic" }),
    field("map", { type: "map", values: { type: "string" } }),
    field("struct", { type: "object", fields: new Map() }),
    field("n", { type: "integer", format: "int32" }),
    field("on", { type: "boolean" }),
    field("at", { type: "time" }),
  ]),
};

describe("restoring a patched object", () => {
  it.each<[JsonValue, string | undefined]>([
    [{ list: { name: "x" } }, "cannot restore slice from map"],
    [{ list: "x" }, "cannot restore slice from string"],
    [{ map: [1] }, "cannot restore map from slice"],
    [{ struct: true }, "cannot restore struct from: bool"],
    [{ n: "x" }, "unrecognized type: int32"],
    [{ n: 1.5 }, "cannot convert float64 to int32"],
    [{ list: [1] }, "cannot convert int64 to string"],
    [{ on: 1 }, "unrecognized type: bool"],
    [{ list: null, n: 1, on: true, at: 5, other: 1 }, undefined],
  ])("%j fails with %s", (value, message) => {
    expect(restoreFailure(schema, value)).toBe(message);
  });
});
