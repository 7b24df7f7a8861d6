import { type KubeObject, type OwnerReference, resourceType } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { blockingDependents, decide, type OwnerState } from "./decide.ts";
import { type GraphNode, OwnerGraph } from "./owner-graph.ts";

const things = resourceType({
  group: "x.io",
  version: "v1",
  kind: "Thing",
  resource: "things",
  namespaced: true,
});
const clusters = resourceType({
  group: "x.io",
  version: "v1",
  kind: "Cluster",
  resource: "clusters",
  namespaced: false,
});

const ref = (uid: string, rest: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: "x.io/v2",
  kind: "Thing",
  name: uid,
  uid,
  ...rest,
});

function thing(
  uid: string,
  owners: readonly OwnerReference[] = [],
  rest: KubeObject["metadata"] = {},
): GraphNode {
  return {
    type: things,
    object: { metadata: { namespace: "n", name: uid, uid, ownerReferences: [...owners], ...rest } },
  };
}

const dying = (finalizer: string) => ({ deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: [finalizer] });
const plain = ({ toDelete, toOrphan }: { toDelete: Set<string>; toOrphan: Set<string> }) => ({
  delete: [...toDelete].sort(),
  orphan: [...toOrphan].sort(),
});

describe("OwnerGraph", () => {
  it("asks about objects whose owner is not known, or is not where it must be", () => {
    const graph = new OwnerGraph();
    expect(plain(graph.upsert(thing("a", [ref("o")])))).toEqual({ delete: ["a"], orphan: [] });
    graph.upsert(thing("o"));
    expect(plain(graph.upsert(thing("b", [ref("o")])))).toEqual({ delete: [], orphan: [] });
    expect(plain(graph.upsert(thing("c", [ref("o", { name: "other" })]))).delete).toEqual(["c"]);
    expect(plain(graph.upsert(thing("d", [ref("o", { kind: "Other" })]))).delete).toEqual(["d"]);
    expect(plain(graph.upsert(thing("e", [ref("o")], { namespace: "m" }))).delete).toEqual(["e"]);
    graph.upsert({ type: clusters, object: { metadata: { name: "k", uid: "k" } } });
    expect(plain(graph.upsert(thing("f", [ref("k", { kind: "Cluster" })]))).delete).toEqual([]);
  });

  it("asks about the dependents of what is gone", () => {
    const graph = new OwnerGraph();
    for (const node of [thing("o"), thing("a", [ref("o")]), thing("b", [ref("o")])]) graph.upsert(node);
    expect(plain(graph.remove(thing("o").object)).delete).toEqual(["a", "b"]);
    graph.remove(thing("a").object);
    expect(graph.dependents("o").map((node) => node.object.metadata.uid)).toEqual(["b"]);
    expect(graph.size).toBe(1);
  });

  it("asks about the dependents of an owner that deletes them first, once", () => {
    const graph = new OwnerGraph();
    for (const node of [thing("o"), thing("a", [ref("o")])]) graph.upsert(node);
    const waiting = thing("o", [], dying("foregroundDeletion"));
    expect(plain(graph.upsert(waiting)).delete).toEqual(["a", "o"]);
    expect(plain(graph.upsert(waiting)).delete).toEqual(["o"]);
    expect(plain(graph.upsert(thing("o", [], dying("orphan"))))).toEqual({ delete: [], orphan: ["o"] });
  });

  it("lets a waiting owner go on when a dependent goes or no longer blocks", () => {
    const graph = new OwnerGraph();
    const blocking = ref("o", { blockOwnerDeletion: true });
    for (const node of [
      thing("a", [blocking]),
      thing("b", [blocking]),
      thing("o", [], dying("foregroundDeletion")),
    ])
      graph.upsert(node);
    expect(plain(graph.remove(thing("a").object)).delete).toEqual(["o"]);
    expect(plain(graph.upsert(thing("b", [ref("o")]))).delete).toEqual(["o"]);
  });

  it("forgets a resource that is no longer served", () => {
    const graph = new OwnerGraph();
    graph.upsert(thing("o"));
    graph.upsert(thing("a", [ref("o")]));
    graph.forget(things);
    expect(graph.size).toBe(0);
    expect(graph.dependents("o")).toEqual([]);
  });
});

describe("decide", () => {
  const owners = (...states: OwnerState[]) => states.map((state, i) => ({ reference: ref(`o${i}`), state }));
  const object = thing("a").object;

  it.each([
    [owners(), [], { action: "keep" }],
    [owners("solid", "solid"), [], { action: "keep" }],
    [owners("solid", "dangling", "waiting"), [], { action: "unlink", ownerUids: ["o1", "o2"] }],
    [owners("dangling"), [], { action: "delete", propagationPolicy: "Background" }],
    [owners("waiting"), [], { action: "delete", propagationPolicy: "Background" }],
    [owners("waiting"), [thing("d")], { action: "delete", propagationPolicy: "Foreground" }],
    [owners("waiting"), [thing("d", [], dying("foregroundDeletion"))], { action: "unblock-and-delete" }],
  ])("(%#)", (states, dependents, decision) => {
    expect(decide(object, states, dependents)).toEqual(decision);
  });

  it("keeps to the policy that the object's finalizers ask for", () => {
    const policy = (finalizer: string) =>
      decide(thing("a", [], { finalizers: [finalizer] }).object, owners("dangling"), []);
    expect(policy("orphan")).toMatchObject({ propagationPolicy: "Orphan" });
    expect(policy("foregroundDeletion")).toMatchObject({ propagationPolicy: "Foreground" });
  });

  it("finds the dependents that block", () => {
    const dependents = [thing("a", [ref("o", { blockOwnerDeletion: true })]), thing("b", [ref("o")])];
    expect(blockingDependents("o", dependents)).toEqual([dependents[0]]);
  });
});
