import { existsSync, readdirSync, readFileSync } from "node:fs";
import { ALL_VERBS, formatApiVersion, type ResourceDefinition } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { builtinResources } from "./builtins.ts";
import { columnDescriptions } from "./column-descriptions.ts";

const corpus = ["../shared/golden/discovery/resources", "../../shared/golden/discovery/resources"].find(
  existsSync,
);

describe("every room", () => {
  it("has a name of its own", () => {
    const names = builtinResources.map(({ group, resource }) => `${resource}.${group}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has the schema of its kind", () => {
    for (const definition of builtinResources) {
      const { group, version, kind, schema } = definition;
      expect(schema.group).toContainEqual({ group, version, kind });
      expect(schema.fields.size).toBeGreaterThan(1);
    }
  });

  it("describes its columns as the API does", () => {
    for (const { resource, columns } of builtinResources) {
      const described = columnDescriptions[resource];
      if (columns === undefined || described === undefined) continue;
      const names = columns.map(({ name }) => name);
      expect([resource, Object.keys(described).filter((name) => !names.includes(name))]).toEqual([
        resource,
        [],
      ]);
    }
  });
});

describe.skipIf(corpus === undefined && process.env["CI"] !== "true")(
  "the discovery documents of v1.36",
  () => {
    it("tell the same of every resource that is served", () => {
      const served = recordedResources(corpus ?? "missing");
      const wrong: string[] = [];
      for (const definition of builtinResources) {
        for (const mine of discoveryOf(definition)) {
          const theirs = served.get(mine.key);
          if (JSON.stringify(theirs) !== JSON.stringify(mine)) {
            wrong.push(`${JSON.stringify(mine)} is not ${JSON.stringify(theirs)}`);
          }
        }
      }
      expect(wrong).toEqual([]);
    });
  },
);

interface Discovered {
  readonly key: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
}

function discoveryOf(definition: ResourceDefinition): Discovered[] {
  const versions = [definition, ...(definition.otherVersions ?? [])];
  return versions.map((served) => ({
    key: `${formatApiVersion(served)} ${served.resource}`,
    singular: definition.singular,
    namespaced: definition.namespaced,
    kind: served.kind,
    verbs: [...(definition.verbs ?? ALL_VERBS)].sort(),
    shortNames: definition.shortNames ?? [],
    categories: definition.categories ?? [],
    hasStatus: definition.status !== undefined,
    hasScale: definition.scale !== undefined,
  }));
}

function recordedResources(folder: string): Map<string, Discovered> {
  const found = new Map<string, Discovered>();
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    const list = JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as ResourceList; // The API's own format.
    const names = new Set(list.resources.map(({ name }) => name));
    for (const resource of list.resources) {
      if (resource.name.includes("/")) continue;
      found.set(`${list.groupVersion} ${resource.name}`, {
        key: `${list.groupVersion} ${resource.name}`,
        singular: resource.singularName,
        namespaced: resource.namespaced,
        kind: resource.kind,
        verbs: [...resource.verbs].sort(),
        shortNames: resource.shortNames ?? [],
        categories: resource.categories ?? [],
        hasStatus: names.has(`${resource.name}/status`),
        hasScale: names.has(`${resource.name}/scale`),
      });
    }
  }
  return found;
}

interface ResourceList {
  groupVersion: string;
  resources: {
    name: string;
    singularName: string;
    namespaced: boolean;
    kind: string;
    verbs: string[];
    shortNames?: string[];
    categories?: string[];
  }[];
}
