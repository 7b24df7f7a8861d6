import type { Condition } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { findCondition, isConditionTrue, setCondition } from "./condition/condition.ts";
import { addFinalizer, finalize, hasFinalizer } from "./finalizer/finalizer.ts";
import { enqueueOwner } from "./handler/handler.ts";
import { createOrPatch, mergePatchBetween } from "./owner/create-or-patch.ts";
import {
  controllerReference,
  isControlledBy,
  ownerReference,
  withController,
} from "./owner/owner-reference.ts";
import {
  and,
  annotationsChanged,
  created,
  deleted,
  generationChanged,
  labelsChanged,
  not,
  objectMatches,
  or,
} from "./predicate/predicate.ts";
import { makeWorld, parts, type Thing, thing, things } from "./testing/fixtures.ts";

describe("setCondition", () => {
  const before: readonly Condition[] = [
    { type: "Ready", status: "False", reason: "Waiting", lastTransitionTime: "2026-01-01T00:00:00Z" },
  ];

  it("changes the transition time only with the status", () => {
    const same = setCondition(
      before,
      { type: "Ready", status: "False", reason: "Working" },
      Date.UTC(2026, 1, 1),
    );
    expect(findCondition(same, "Ready")).toEqual({ ...before[0], reason: "Working" });
    const turned = setCondition(
      before,
      { type: "Ready", status: "True", reason: "Done" },
      Date.UTC(2026, 1, 1),
    );
    expect(findCondition(turned, "Ready")?.lastTransitionTime).toBe("2026-02-01T00:00:00Z");
    expect(isConditionTrue(turned, "Ready")).toBe(true);
  });

  it("gives the same list when nothing changes, and adds what is new at the end", () => {
    expect(setCondition(before, { type: "Ready", status: "False", reason: "Waiting" }, 0)).toBe(before);
    expect(setCondition(before, { type: "Other", status: "True" }, 0)).toHaveLength(2);
  });
});

describe("mergePatchBetween", () => {
  it.each([
    [{ a: 1 }, { a: 1 }, undefined],
    [
      { a: 1, b: { c: 1, d: 2 } },
      { b: { c: 3, d: 2 }, e: [1] },
      { a: null, b: { c: 3 }, e: [1] },
    ],
    [{ a: [1, 2] }, { a: [2] }, { a: [2] }],
    [{ a: { b: 1 } }, { a: 5 }, { a: 5 }],
  ])("from %j to %j", (old, updated, patch) => {
    expect(mergePatchBetween(old, updated)).toEqual(patch);
  });

  it("treats __proto__ as a key", () => {
    const updated = JSON.parse('{"__proto__":{"polluted":true}}');
    const patch = mergePatchBetween({}, updated);
    expect(JSON.stringify(patch)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("owner references", () => {
  const owner = thing("o", { metadata: { uid: "u" } });

  it("name one controller at most", () => {
    const child = withController(things, owner, thing("c"));
    expect(child.metadata.ownerReferences).toEqual([
      {
        apiVersion: "x.io/v1",
        kind: "Thing",
        name: "o",
        uid: "u",
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(isControlledBy(child, owner)).toBe(true);
    const other = thing("p", { metadata: { uid: "v" } });
    expect(() => withController(things, other, child)).toThrow("c is already controlled by Thing o");
    expect(withController(things, owner, child)).toEqual(child);
  });

  it("lead from an object to its owners, old and new", () => {
    const handler = enqueueOwner<Thing>(things);
    const cache = undefined as never; // This handler reads nothing.
    const owned = (name: string) =>
      thing("c", {
        metadata: {
          ownerReferences: [controllerReference(things, thing(name, { metadata: { uid: name } }))],
        },
      });
    expect([...handler({ old: owned("x"), updated: owned("y"), isInitial: false }, { cache })]).toEqual([
      { namespace: "a", name: "x" },
      { namespace: "a", name: "y" },
    ]);
    const plain = thing("c", { metadata: { ownerReferences: [ownerReference(things, owner)] } });
    expect([...handler({ updated: plain, isInitial: false }, { cache })]).toEqual([]);
    const any = enqueueOwner<Thing>(things, { controllerOnly: false });
    expect([...any({ updated: plain, isInitial: false }, { cache })]).toHaveLength(1);
    expect([...enqueueOwner<Thing>(parts)({ updated: owned("x"), isInitial: false }, { cache })]).toEqual([]);
  });
});

describe("predicates", () => {
  const old = thing("t", { metadata: { generation: 1, labels: { a: "1" }, annotations: { x: "1" } } });
  const relabelled = thing("t", { metadata: { generation: 1, labels: { a: "2" }, annotations: { x: "1" } } });
  const respecified = thing("t", {
    metadata: { generation: 2, labels: { a: "1" }, annotations: { x: "1" } },
  });

  it("look at what an update changed", () => {
    const event = (updated: Thing) => ({ old, updated, isInitial: false });
    expect(
      [generationChanged, labelsChanged, annotationsChanged].map((holds) => holds(event(relabelled))),
    ).toEqual([false, true, false]);
    expect(generationChanged(event(respecified))).toBe(true);
    expect(generationChanged({ updated: old, isInitial: true })).toBe(true);
    expect([created(event(old)), deleted(event(old))]).toEqual([false, false]);
  });

  it("combine", () => {
    const event = { updated: old, isInitial: false };
    const [yes, no] = [() => true, () => false];
    expect([
      and(yes, yes)(event),
      and(yes, no)(event),
      or(no, yes)(event),
      or(no)(event),
      not(no)(event),
    ]).toEqual([true, false, true, false, true]);
    expect(objectMatches<Thing>((each) => each.metadata.name === "t")(event)).toBe(true);
  });
});

describe("finalize", () => {
  it("adds the finalizer to the living, cleans up after the dying, and takes it off", async () => {
    const { client } = makeWorld();
    const stored = await client.create(things, thing("one"));
    const cleaned: string[] = [];
    const step = (object: Thing) =>
      finalize(
        client,
        things,
        object,
        "x.io/f",
        async ({ metadata }) => void cleaned.push(metadata.name ?? ""),
      );
    const alive = await step(stored);
    expect(alive.state === "alive" && hasFinalizer(alive.object, "x.io/f")).toBe(true);
    const present = await client.get(things, stored);
    const dying = {
      ...present,
      metadata: { ...present.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" },
    };
    expect(await step(dying)).toEqual({ state: "finalized" });
    expect(cleaned).toEqual(["one"]);
    expect(hasFinalizer(await client.get(things, stored), "x.io/f")).toBe(false);
    await expect(addFinalizer(client, things, stored, "x.io/g")).rejects.toMatchObject({
      reason: "Conflict",
    });
  });
});

describe("createOrPatch", () => {
  it("creates, patches, or leaves alone", async () => {
    const { client, transport } = makeWorld();
    const wanted = (size: number) =>
      createOrPatch(client, things, { namespace: "a", name: "one" }, (object) => {
        object.spec = { ...object.spec, size };
      });
    expect((await wanted(1)).operation).toBe("created");
    expect((await wanted(1)).operation).toBe("unchanged");
    expect(await wanted(2)).toMatchObject({ operation: "patched", object: { spec: { size: 2 } } });
    expect(transport.requests.map((each) => each.split(" ")[0])).toEqual([
      "GET",
      "POST",
      "GET",
      "GET",
      "PATCH",
    ]);
  });
});
