import { existsSync, readFileSync } from "node:fs";
import type { Field, Schema } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { markedTypes } from "./room-marks.ts";
import { builtinSchema, builtinTypeNames } from "./schema-registry.ts";

const oracle = ["../shared/openapi/definitions.json", "../../shared/openapi/definitions.json"].find(
  existsSync,
);

describe("builtinSchema", () => {
  it("gives the same object for the same name", () => {
    expect(builtinSchema("core.v1.Pod")).toBe(builtinSchema("core.v1.Pod"));
  });

  it("builds every type", () => {
    for (const name of builtinTypeNames()) expect(builtinSchema(name).fields).toBeInstanceOf(Map);
  });

  it("follows types that contain themselves", () => {
    const props = builtinSchema("apiextensions.v1.JSONSchemaProps");
    expect(props.fields.get("not")?.schema).toBe(props);
  });

  it("tells what an omitted field becomes", () => {
    const spec = builtinSchema("core.v1.PodSpec").fields;
    expect(spec.get("containers")?.omit).toBe("never");
    expect(spec.get("hostname")?.omit).toBe("zero");
    expect(spec.get("priority")?.omit).toBe("absent");
    expect(builtinSchema("core.v1.Pod").fields.get("status")?.omit).toBe("never");
  });

  it("knows where protobuf embeds a field", () => {
    const field = builtinSchema("core.v1.Volume").fields.get("configMap");
    expect([field?.protobufInline, field?.protobuf]).toEqual([[2], 19]);
  });

  it("marks no type and no field that does not exist", () => {
    const names = new Set(builtinTypeNames());
    expect(markedTypes().filter((name) => !names.has(name))).toEqual([]);
  });
});

describe.skipIf(oracle === undefined && process.env["CI"] !== "true")(
  "the OpenAPI document of Kubernetes v1.36",
  () => {
    const definitions = JSON.parse(oracle === undefined ? "{}" : readFileSync(oracle, "utf8")) as Record<
      string,
      Definition
    >;

    it("has the same types, field by field", () => {
      const wrong: string[] = [];
      for (const name of builtinTypeNames()) {
        const schema = builtinSchema(name);
        const definition = definitions[schema.name ?? ""];
        if (definition === undefined) {
          wrong.push(`${name}: not in the document`);
          continue;
        }
        const mine = definitionOf(name);
        // The document lists these two in every group that is served.
        if (name === "meta.v1.DeleteOptions" || name === "meta.v1.WatchEvent") {
          delete mine["x-kubernetes-group-version-kind"];
          delete definition["x-kubernetes-group-version-kind"];
        }
        const isSame = JSON.stringify(sorted(mine)) === JSON.stringify(sorted(definition));
        if (!isSame)
          wrong.push(`${name}: ${JSON.stringify(sorted(mine))} is not ${JSON.stringify(sorted(definition))}`);
      }
      expect(wrong).toEqual([]);
    });
  },
);

type Definition = Record<string, unknown>;

/** The OpenAPI v2 definition of a type, as far as a schema tells it. */
function definitionOf(name: string): Definition {
  const schema = builtinSchema(name);
  const definition: Definition = { type: "object" };
  const required: string[] = [];
  const properties: Record<string, Definition> = {};
  for (const field of schema.fields.values()) {
    properties[field.name] = propertyOf(field);
    if (field.required) required.push(field.name);
  }
  if (schema.fields.size > 0) definition["properties"] = properties;
  if (required.length > 0) definition["required"] = required;
  if (schema.mapType !== undefined) definition["x-kubernetes-map-type"] = schema.mapType;
  if (schema.group !== undefined) definition["x-kubernetes-group-version-kind"] = schema.group;
  if (schema.unions !== undefined) {
    definition["x-kubernetes-unions"] = schema.unions.map(({ discriminator, fields }) => ({
      ...(discriminator === undefined ? {} : { discriminator }),
      "fields-to-discriminateBy": Object.fromEntries(
        fields.map((field) => [field, field.charAt(0).toUpperCase() + field.slice(1)]),
      ),
    }));
  }
  return definition;
}

function propertyOf(field: Field): Definition {
  const property = typeOf(field.schema);
  if (field.patchStrategy !== undefined)
    property["x-kubernetes-patch-strategy"] = field.patchStrategy.join(",");
  if (field.patchMergeKey !== undefined) property["x-kubernetes-patch-merge-key"] = field.patchMergeKey;
  if (field.structureType !== undefined) {
    const key = field.schema.type === "bytes" ? "list" : "map";
    property[`x-kubernetes-${key}-type`] = field.structureType;
  }
  return property;
}

const REFERENCES: Record<string, string> = {
  quantity: "io.k8s.apimachinery.pkg.api.resource.Quantity",
  time: "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
  microTime: "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
  intOrString: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
  fieldsV1: "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
};

function typeOf(schema: Schema): Definition {
  switch (schema.type) {
    case "object":
      return { $ref: `#/definitions/${schema.name}` };
    case "map":
      return {
        type: "object",
        additionalProperties: typeOf(schema.values),
        ...(schema.mapType === undefined ? {} : { "x-kubernetes-map-type": schema.mapType }),
      };
    case "list":
      return {
        type: "array",
        items: typeOf(schema.items),
        ...(schema.unstated ? {} : { "x-kubernetes-list-type": schema.listType }),
        ...(schema.listMapKeys === undefined ? {} : { "x-kubernetes-list-map-keys": schema.listMapKeys }),
      };
    case "bytes":
      return { type: "string", format: "byte" };
    case "any":
      return { $ref: `#/definitions/${schema.name}` };
    default: {
      const reference = REFERENCES[schema.type];
      if (reference !== undefined) return { $ref: `#/definitions/${reference}` };
      return schema.format === undefined
        ? { type: schema.type }
        : { type: schema.type, format: schema.format };
    }
  }
}

/** The same value with the keys of every object, and the required lists, in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.every((v) => typeof v === "string") ? [...value].sort() : value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
