import { expect, it } from "vitest";
import { encodeOpenApiV2, OPENAPI_V2_PROTOBUF } from "./openapi-v2-protobuf.ts";

it("writes definitions with their names, types and extensions", () => {
  const bytes = encodeOpenApiV2({
    swagger: "2.0",
    info: { title: "T", version: "v" },
    paths: {},
    definitions: { A: { type: "object", "x-k": [1] } },
  });
  const any = [0x12, 4, ...Buffer.from("[1]\n")];
  const extension = [0x0a, 3, ...Buffer.from("x-k"), 0x12, any.length, ...any];
  const type = [0x0a, 6, ...Buffer.from("object")];
  // Type is field 22 and extensions are field 31: both tags take two bytes.
  const schema = [0xb2, 0x01, type.length, ...type, 0xfa, 0x01, extension.length, ...extension];
  const pair = [0x0a, 1, ...Buffer.from("A"), 0x12, schema.length, ...schema];
  const definitions = [0x0a, pair.length, ...pair];
  expect([...bytes]).toEqual([
    ...[0x0a, 3, ...Buffer.from("2.0")],
    ...[0x12, 6, 0x0a, 1, ...Buffer.from("T"), 0x12, 1, ...Buffer.from("v")],
    ...[0x42, 0],
    ...[0x4a, definitions.length, ...definitions],
  ]);
});

it.each([
  ["application/com.github.proto-openapi.spec.v2@v1.0+protobuf", true],
  ["application/com.github.proto-openapi.spec.v2.v1.0+protobuf", true],
  ["application/vnd.kubernetes.protobuf", false],
])("knows the media type %s: %s", (accept, expected) => {
  expect(OPENAPI_V2_PROTOBUF.test(accept)).toBe(expected);
});
