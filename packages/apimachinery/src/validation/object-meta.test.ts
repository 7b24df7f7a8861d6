import { describe, expect, it } from "vitest";
import { formatFieldErrors } from "../errors/status-error.ts";
import type { ObjectMeta } from "../meta/object-meta.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.ts";

function check(meta: ObjectMeta): string {
  const errors = validateObjectMeta({ name: "a", namespace: "n", ...meta }, { namespaced: true });
  return errors.length === 0 ? "" : formatFieldErrors(errors);
}

describe("validateObjectMeta", () => {
  // Texts as observed on a v1.36 API server.
  it.each<[string, ObjectMeta, string]>([
    ["a name", {}, ""],
    ["no name", { name: "" }, "metadata.name: Required value: name or generateName is required"],
    ["a prefix that ends in a dash", { generateName: "g-" }, ""],
    [
      "a finalizer without domain",
      { finalizers: ["nodomain"] },
      'metadata.finalizers[0]: Invalid value: "nodomain": name is neither a standard finalizer name nor is it fully qualified',
    ],
    [
      "two ways to delete",
      { finalizers: ["orphan", "foregroundDeletion"] },
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
    [
      "an empty owner",
      { ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] },
      '[metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty, metadata.ownerReferences.kind: Invalid value: "": must not be empty, metadata.ownerReferences.name: Invalid value: "": must not be empty, metadata.ownerReferences.uid: Invalid value: "": must not be empty]',
    ],
    [
      "an event as owner",
      { ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "p", uid: "u1" }] },
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"p","uid":"u1"}: /v1, Kind=Event is disallowed from being an owner',
    ],
    [
      "large annotations",
      { annotations: { a: "x".repeat(256 * 1024) } },
      "metadata.annotations: Too long: may not be more than 262144 bytes",
    ],
    ["annotation keys in upper case", { annotations: { "UP.io/x": "\n" } }, ""],
  ])("judges %s", (_what, meta, expected) => {
    expect(check(meta)).toBe(expected);
  });

  it("wants a namespace where one belongs and none where not", () => {
    expect(validateObjectMeta({ name: "a" }, { namespaced: true })[0]?.path).toBe("metadata.namespace");
    expect(validateObjectMeta({ name: "a", namespace: "n" }, { namespaced: false })[0]?.body).toBe(
      "Forbidden: not allowed on this type",
    );
  });

  it("lets custom resources have any finalizer", () => {
    const meta = { name: "a", finalizers: ["nodomain"] };
    expect(validateObjectMeta(meta, { namespaced: false, standardFinalizersOnly: false })).toEqual([]);
  });

  it("finds a second controller", () => {
    const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u1", controller: true };
    expect(check({ ownerReferences: [owner, { ...owner, name: "q" }] })).toContain(
      'Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/q',
    );
  });
});

describe("validateObjectMetaUpdate", () => {
  const old: ObjectMeta = { name: "a", uid: "u", resourceVersion: "1", generation: 2 };

  it.each<[string, ObjectMeta, string]>([
    ["nothing changed", old, ""],
    [
      "no version",
      { ...old, resourceVersion: "" },
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    ],
    ["another uid", { ...old, uid: "v" }, 'metadata.uid: Invalid value: "v": field is immutable'],
    [
      "an earlier generation",
      { ...old, generation: 1 },
      "metadata.generation: Invalid value: 1: must not be decremented",
    ],
  ])("judges %s", (_what, updated, expected) => {
    const errors = validateObjectMetaUpdate(updated, old);
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });

  it("lets no finalizer in during deletion", () => {
    const deleted = { ...old, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["x.io/a"] };
    expect(validateObjectMetaUpdate({ ...deleted, finalizers: [] }, deleted)).toEqual([]);
    expect(validateObjectMetaUpdate({ ...deleted, finalizers: ["x.io/f"] }, deleted)[0]?.body).toBe(
      'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/f"}',
    );
  });
});
