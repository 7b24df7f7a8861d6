import { deepFreeze, type JsonValue } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { applyJsonPatch } from "./json-patch.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { patchedText } from "./patched-text.ts";

const document: JsonValue = deepFreeze({
  kind: "Deployment",
  apiVersion: "apps/v1",
  metadata: { name: "d", generation: 2 },
  spec: { replicas: 1, paused: true, template: { spec: { z: 1, a: [{ y: 1, x: 2 }] } } },
});

describe("the text of a patched document", () => {
  it("has keys in order where a merge patch went, and elsewhere as they were", () => {
    const patched = applyMergePatch(document, { spec: { replicas: "x", new: { b: 1, a: 2 } } });
    expect(patchedText(document, patched)).toBe(
      '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","generation":2},"spec":{"new":{"a":2,"b":1},"paused":true,"replicas":"x","template":{"spec":{"z":1,"a":[{"y":1,"x":2}]}}}}',
    );
  });

  it("has keys in order on the way of a JSON patch's pointers", () => {
    const patched = applyJsonPatch(document, [{ op: "add", path: "/spec/template/spec/a/-", value: "w" }]);
    expect(patchedText(document, patched)).toBe(
      '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","generation":2},"spec":{"paused":true,"replicas":1,"template":{"spec":{"a":[{"y":1,"x":2},"w"],"z":1}}}}',
    );
  });
});
