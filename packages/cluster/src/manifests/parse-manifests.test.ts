import { describe, expect, it } from "vitest";
import { inApplyOrder } from "./apply-order.ts";
import { ManifestError, parseManifests } from "./parse-manifests.ts";

const namesOf = (text: string): (string | undefined)[] =>
  parseManifests(text, "m.yaml").map(({ object }) => object.metadata.name);
const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

describe("reading manifests", () => {
  it("reads every document of a stream and skips empty ones and comments", () => {
    expect(namesOf(`---\n# first\n---\n${configMap("a")}--- # next\n${configMap("b")}---\n`)).toEqual([
      "a",
      "b",
    ]);
  });

  it("leaves dashes inside of a text alone", () => {
    const [only] = parseManifests(`${configMap("a")}data:\n  key: |\n    ---\n    text\n`, "m.yaml");
    expect(only?.object["data"]).toEqual({ key: "---\ntext\n" });
  });

  it("reads JSON, and lists as their items", () => {
    const item = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
    expect(namesOf(JSON.stringify({ apiVersion: "v1", kind: "List", items: [item, item] }))).toEqual([
      "a",
      "a",
    ]);
  });

  it("reads words as YAML 1.1 does", () => {
    const [only] = parseManifests(`${configMap("a")}data: {on: yes}\n`, "m.yaml");
    expect(only?.object["data"]).toEqual({ true: true });
  });

  it.each([
    ["metadata: {name: a", /^m\.yaml: yaml: line 1/],
    [`${configMap("a")}---\nkind: Pod\n`, /^m\.yaml, document 2: apiVersion is missing$/],
    ["apiVersion: v1\nmetadata: {}", /^m\.yaml: kind is missing$/],
    ["apiVersion: v1\nkind: Pod", /^m\.yaml: metadata of Pod is missing$/],
    ["apiVersion: v1\nkind: Pod\nmetadata: {generateName: x}", /^m\.yaml: metadata\.name of Pod is missing$/],
    ["just text", /^m\.yaml: an object with apiVersion and kind was expected$/],
    ["apiVersion: v1\nkind: List\nitems: [1]", /^m\.yaml, item 1: an object/],
  ])("names file and document of what cannot be read: %j", (text, message) => {
    expect(() => parseManifests(text, "m.yaml")).toThrow(ManifestError);
    expect(() => parseManifests(text, "m.yaml")).toThrow(message);
  });
});

it("orders objects so that each finds what it needs", () => {
  const kinds = [
    "ValidatingWebhookConfiguration",
    "Deployment",
    "Widget",
    "ConfigMap",
    "CustomResourceDefinition",
    "Namespace",
  ];
  const manifests = kinds.map((kind) => ({
    object: { apiVersion: "v1", kind, metadata: { name: "x" } },
    origin: "",
  }));
  expect(inApplyOrder(manifests).map(({ object }) => object.kind)).toEqual([
    "Namespace",
    "CustomResourceDefinition",
    "ConfigMap",
    "Deployment",
    "Widget",
    "ValidatingWebhookConfiguration",
  ]);
});
