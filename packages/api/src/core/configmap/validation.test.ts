import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { ConfigMap } from "../../generated/core-v1.generated.ts";
import { validateConfigMap, validateConfigMapUpdate } from "./validation.ts";

const metadata = { name: "a", namespace: "n" };

describe("validateConfigMap", () => {
  it.each<[string, ConfigMap, string]>([
    ["plain data", { metadata, data: { a: "1" }, binaryData: { b: "AAE=" } }, ""],
    [
      "a key in both maps",
      { metadata, data: { a: "1" }, binaryData: { a: "AAE=" } },
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ],
    [
      "a bad key",
      { metadata, data: { "bad key": "1" } },
      "data[bad key]: Invalid value: \"bad key\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ],
    [
      "too much data",
      { metadata, data: { a: "x".repeat(1024 * 1024 + 1) } },
      "[]: Too long: may not be more than 1048576 bytes",
    ],
  ])("judges %s", (_what, configMap, expected) => {
    const errors = validateConfigMap(configMap);
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });
});

describe("validateConfigMapUpdate", () => {
  it("lets an immutable one change only its metadata", () => {
    const old: ConfigMap = { metadata, immutable: true, data: { a: "1" } };
    expect(validateConfigMapUpdate({ ...old, metadata: { ...metadata, labels: { a: "b" } } }, old)).toEqual(
      [],
    );
    const updated: ConfigMap = { metadata, immutable: false, data: { a: "1" }, binaryData: { x: "eA==" } };
    expect(formatFieldErrors(validateConfigMapUpdate(updated, old))).toBe(
      "[immutable: Forbidden: field is immutable when `immutable` is set, binaryData: Forbidden: field is immutable when `immutable` is set]",
    );
  });
});
