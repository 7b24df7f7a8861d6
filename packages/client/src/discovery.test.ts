import { notFound } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { Discovery } from "./discovery.ts";
import type { Transport } from "./transport/transport.ts";

const aggregated: Record<string, unknown> = {
  "/api": {
    kind: "APIGroupDiscoveryList",
    items: [
      {
        metadata: {},
        versions: [
          {
            version: "v1",
            resources: [
              {
                resource: "pods",
                responseKind: { group: "", version: "", kind: "Pod" },
                scope: "Namespaced",
                singularResource: "pod",
                shortNames: ["po"],
                verbs: ["get", "list"],
                subresources: [{ subresource: "status", verbs: ["get"] }],
              },
            ],
          },
        ],
      },
    ],
  },
  "/apis": {
    kind: "APIGroupDiscoveryList",
    items: [
      {
        metadata: { name: "x.io" },
        versions: ["v2", "v1"].map((version) => ({
          version,
          freshness: version === "v1" ? "Stale" : "Current",
          resources: [
            { resource: "things", responseKind: { kind: "Thing" }, scope: "Cluster", verbs: ["list"] },
          ],
        })),
      },
    ],
  },
};

const legacy: Record<string, unknown> = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/api/v1": {
    kind: "APIResourceList",
    groupVersion: "v1",
    resources: [
      {
        name: "pods",
        singularName: "pod",
        namespaced: true,
        kind: "Pod",
        verbs: ["get", "list"],
        shortNames: ["po"],
      },
      { name: "pods/status", singularName: "", namespaced: true, kind: "Pod", verbs: ["get"] },
    ],
  },
  "/apis": {
    kind: "APIGroupList",
    groups: [
      {
        name: "x.io",
        versions: [{ version: "v1" }, { version: "v2" }],
        preferredVersion: { version: "v2" },
      },
    ],
  },
  "/apis/x.io/v2": {
    kind: "APIResourceList",
    groupVersion: "x.io/v2",
    resources: [{ name: "things", namespaced: false, kind: "Thing", verbs: ["list"] }],
  },
};

function serving(documents: Record<string, unknown>): { transport: Transport; asked: string[] } {
  const asked: string[] = [];
  const transport: Transport = {
    async request({ path }) {
      asked.push(path);
      const body = documents[path];
      if (body === undefined) throw notFound({ group: "", resource: "" }, path);
      return { status: 200, body, warnings: [] };
    },
    watch: () => Promise.reject(new Error("not served")),
    close: () => Promise.resolve(),
  };
  return { transport, asked };
}

describe.each([
  ["aggregated", aggregated],
  ["legacy", legacy],
])("Discovery from %s documents", (_, documents) => {
  it("maps kinds to resources and back", async () => {
    const snapshot = await new Discovery(serving(documents).transport).snapshot();
    expect(snapshot.forKind("v1", "Pod")).toMatchObject({
      group: "",
      version: "v1",
      resource: "pods",
      namespaced: true,
      shortNames: ["po"],
      subresources: ["status"],
    });
    expect(snapshot.forResource("x.io/v2", "things")?.kind).toBe("Thing");
    expect(snapshot.isComplete).toBe(false);
  });

  it("lists each resource once, in the preferred version", async () => {
    const snapshot = await new Discovery(serving(documents).transport).snapshot();
    expect(snapshot.preferredResources().map((each) => `${each.version}/${each.resource}`)).toEqual([
      "v1/pods",
      "v2/things",
    ]);
  });

  it("asks once, and again for a kind it does not know", async () => {
    const { transport, asked } = serving(documents);
    const discovery = new Discovery(transport);
    await Promise.all([discovery.forKind("v1", "Pod"), discovery.forKind("v1", "Pod")]);
    expect(asked.filter((path) => path === "/api")).toHaveLength(1);
    expect(await discovery.forKind("v1", "Nope")).toBeUndefined();
    expect(asked.filter((path) => path === "/api")).toHaveLength(2);
  });
});
