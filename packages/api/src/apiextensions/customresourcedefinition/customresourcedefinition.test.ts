import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type {
  CustomResourceDefinition,
  JSONSchemaProps,
} from "../../generated/apiextensions-v1.generated.ts";
import { validateStructuralSchema } from "./schema-validation.ts";
import { prepareCrdForCreate, prepareCrdForUpdate, setCrdDefaults } from "./strategy.ts";
import { validateCrd, validateCrdUpdate } from "./validation.ts";

function crd(change: Partial<CustomResourceDefinition["spec"]> = {}): CustomResourceDefinition {
  const object: CustomResourceDefinition = {
    metadata: { name: "lifes.g.io" },
    spec: {
      group: "g.io",
      scope: "Namespaced",
      names: { plural: "lifes", kind: "Life" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
      ],
      ...change,
    },
  };
  setCrdDefaults(object);
  prepareCrdForCreate(object);
  return object;
}

describe("a custom resource definition", () => {
  it("is filled in", () => {
    const { spec, status } = crd();
    expect(spec.names).toEqual({ plural: "lifes", singular: "life", kind: "Life", listKind: "LifeList" });
    expect(spec.conversion).toEqual({ strategy: "None" });
    expect(status).toEqual({ storedVersions: ["v1"] });
    expect(validateCrd(crd())).toEqual([]);
  });

  it("keeps what its objects are found by", () => {
    const old = crd();
    old.status!.conditions = [{ type: "Established", status: "True" }];
    const check = (updated: CustomResourceDefinition): string => {
      prepareCrdForUpdate(updated, old);
      return formatFieldErrors(validateCrdUpdate(updated, old));
    };
    expect(check(crd({ scope: "Cluster" }))).toBe('spec.scope: Invalid value: "Cluster": field is immutable');
    expect(check(crd({ group: "other.io" }))).toBe(
      'spec.group: Invalid value: "other.io": field is immutable',
    );
    const names = { plural: "lifes", kind: "Life2", listKind: "LifeList" };
    expect(check(crd({ names }))).toBe('spec.names.kind: Invalid value: "Life2": field is immutable');
  });

  it("keeps every version that objects may be stored in", () => {
    const old = crd();
    const updated = crd({
      versions: [
        { name: "v2", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
      ],
    });
    prepareCrdForUpdate(updated, old);
    expect(updated.status?.storedVersions).toEqual(["v1", "v2"]);
    expect(formatFieldErrors(validateCrdUpdate(updated, old))).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version',
    );
  });

  it("has one stored version and a schema for each", () => {
    const errors = validateCrd(crd({ versions: [{ name: "v1", served: true, storage: false }] }));
    expect(errors.map(({ path }) => path)).toEqual([
      "spec.versions[0].schema.openAPIV3Schema",
      "spec.versions",
      "status.storedVersions",
    ]);
  });
});

describe("a structural schema", () => {
  it.each<[JSONSchemaProps, string]>([
    [{}, "s.type: Required value: must not be empty at the root"],
    [
      { type: "array", items: { type: "string" } },
      's.type: Invalid value: "array": must be object at the root',
    ],
    [
      { type: "object", properties: { a: {}, b: { "x-kubernetes-int-or-string": true } } },
      "s.properties[a].type: Required value: must not be empty for specified object fields",
    ],
    [
      { type: "object", properties: { a: { type: "array", items: {} } } },
      "s.properties[a].items.type: Required value: must not be empty for specified array items",
    ],
    [
      {
        type: "object",
        properties: { a: { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "map" } },
      },
      "s.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
    ],
  ])("%j is judged", (schema, expected) => {
    expect(formatFieldErrors(validateStructuralSchema(schema, "s"))).toBe(expected);
  });
});
