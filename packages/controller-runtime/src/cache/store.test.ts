import { describe, expect, it } from "vitest";
import { type Thing, thing } from "../testing/fixtures.ts";
import { NAMESPACE_INDEX, OWNER_INDEX, Store } from "./store.ts";

const names = (objects: readonly Thing[]) => objects.map((each) => each.metadata.name).sort();
const owned = (name: string, ...uids: string[]) =>
  thing(name, {
    metadata: { ownerReferences: uids.map((uid) => ({ apiVersion: "v1", kind: "X", name: "x", uid })) },
  });

describe("Store", () => {
  it("gives the object that was replaced or taken out", () => {
    const store = new Store<Thing>();
    const [one, two] = [thing("w"), thing("w")];
    expect(store.set(one)).toBeUndefined();
    expect(store.set(two)).toBe(one);
    expect(store.get("a/w")).toBe(two);
    expect(store.delete("a/w")).toBe(two);
    expect(store.delete("a/w")).toBeUndefined();
    expect(store.size).toBe(0);
  });

  it("finds objects by namespace and by owner, as they are now", () => {
    const store = new Store<Thing>();
    store.set(owned("one", "u1"));
    store.set(owned("two", "u1", "u2"));
    store.set(thing("three", { metadata: { namespace: "b" } }));
    expect(names(store.byIndex(NAMESPACE_INDEX, "a"))).toEqual(["one", "two"]);
    expect(names(store.byIndex(OWNER_INDEX, "u1"))).toEqual(["one", "two"]);
    store.set(owned("two", "u2"));
    expect(names(store.byIndex(OWNER_INDEX, "u1"))).toEqual(["one"]);
    store.delete("a/two");
    expect(store.byIndex(OWNER_INDEX, "u2")).toEqual([]);
  });

  it("indexes what is there when an index is added", () => {
    const store = new Store<Thing>();
    store.set(thing("one", { spec: { size: 1 } }));
    const bySize = (each: Thing): string[] => [String(each.spec?.size)];
    store.addIndex("size", bySize);
    store.addIndex("size", bySize);
    expect(names(store.byIndex("size", "1"))).toEqual(["one"]);
    expect(() => store.addIndex("size", () => [])).toThrow(
      "index size is there already with another function",
    );
    expect(() => store.byIndex("nope", "1")).toThrow("there is no index nope");
  });

  it("takes __proto__ for an ordinary name", () => {
    const store = new Store<Thing>();
    store.set(thing("__proto__", { metadata: { namespace: "__proto__" } }));
    expect(names(store.byIndex(NAMESPACE_INDEX, "__proto__"))).toEqual(["__proto__"]);
  });
});
