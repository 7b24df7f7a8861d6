import { nextTurn } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { makeWorld, parts, type Thing, thing, things } from "../testing/fixtures.ts";
import { Cache } from "./cache.ts";
import type { ObjectEvent } from "./informer.ts";

const tell = ({ old, updated, isInitial }: ObjectEvent<Thing>): string =>
  `${isInitial ? "initial " : ""}${old?.metadata.name ?? "-"}>${updated?.metadata.name ?? "-"}:${(updated ?? old)?.spec?.size ?? ""}`;

describe("Cache", () => {
  it("follows the server, and tells handlers after it has changed itself", async () => {
    const { transport, client, basics, activity } = makeWorld();
    await client.create(things, thing("one", { spec: { size: 1 } }));
    const cache = new Cache(basics);
    const told: string[] = [];
    cache.informer(things).addHandler((event) => {
      expect(cache.informer(things).get(`a/${(event.updated ?? event.old)?.metadata.name}`)).toBe(
        event.updated,
      );
      told.push(tell(event));
    });
    expect(() => cache.list(things)).toThrow("has not been read yet");
    cache.start();
    await cache.waitForSync();
    expect(cache.get(things, { namespace: "a", name: "one" })?.spec?.size).toBe(1);
    await activity.whenIdle();
    await client.update(things, thing("one", { spec: { size: 2 } }));
    await client.create(things, thing("two"));
    await client.delete(things, { namespace: "a", name: "one" });
    expect(told).toEqual(["initial ->one:1", "one>one:2", "->two:", "one>-:2"]);
    expect(cache.list(things).map((each) => each.metadata.name)).toEqual(["two"]);
    expect(Object.isFrozen(cache.list(things)[0]?.metadata)).toBe(true);
    await cache.stop();
    expect(transport.watcherCount).toBe(0);
  });

  it("shares one informer, tells a late handler what is there, and stops telling it when asked", async () => {
    const { transport, client, basics, activity } = makeWorld();
    await client.create(things, thing("one"));
    const cache = new Cache(basics);
    cache.start();
    await Promise.all([cache.waitForSync([things]), cache.waitForSync([things])]);
    await activity.whenIdle();
    expect(transport.requests.filter((each) => each === "GET things")).toHaveLength(1);
    const told: string[] = [];
    const remove = cache.informer(things).addHandler((event) => told.push(tell(event)));
    remove();
    await client.create(things, thing("two"));
    expect(told).toEqual(["initial ->one:"]);
    await cache.stop();
  });

  it("goes on where a watch ended, without listing again", async () => {
    const { transport, client, basics, clock, activity } = makeWorld();
    const cache = new Cache(basics);
    cache.start();
    await cache.waitForSync([things]);
    await activity.whenIdle();
    await client.create(things, thing("one"));
    transport.endWatches();
    await client.create(things, thing("two"));
    await activity.whenIdle();
    expect(cache.list(things)).toHaveLength(2);
    expect(transport.requests.filter((each) => each.includes("GET") || each.includes("WATCH"))).toEqual([
      "GET things",
      "WATCH things 10",
      "WATCH things 11",
    ]);
    await clock.advance(3_600_000);
    await cache.stop();
  });

  it("lists again when the history it needs is gone, and tells what it missed", async () => {
    const { transport, client, basics, activity } = makeWorld();
    await client.create(things, thing("one"));
    await client.create(things, thing("two", { spec: { size: 1 } }));
    const cache = new Cache(basics);
    const told: string[] = [];
    cache.start();
    cache.informer(things).addHandler((event) => told.push(tell(event)));
    await cache.waitForSync();
    await activity.whenIdle();
    told.length = 0;
    transport.fail = (request) => (request.query?.["watch"] === true ? new Error("down") : undefined);
    transport.endWatches(new Error("cut"));
    await client.delete(things, { namespace: "a", name: "one" });
    await client.update(things, thing("two", { spec: { size: 2 } }));
    await client.create(things, thing("three"));
    transport.compactedAt = 14;
    transport.fail = () => undefined;
    await basics.clock.advance(2_000);
    await activity.whenIdle();
    expect(told).toEqual(["one>-:", "two>two:2", "->three:"]);
    await cache.stop();
  });

  it("waits longer and longer while the server is away, and is idle meanwhile", async () => {
    const { transport, basics, clock, activity } = makeWorld();
    let tries = 0;
    transport.fail = () => {
      tries++;
      return new Error("connection refused");
    };
    const cache = new Cache(basics);
    cache.informer(things);
    cache.start();
    await activity.whenIdle();
    expect(tries).toBe(1);
    await clock.advance(60_000);
    // 800 ms, 1.6 s, 3.2 s, … each up to doubled by jitter.
    expect(tries).toBeGreaterThanOrEqual(5);
    expect(tries).toBeLessThanOrEqual(7);
    transport.fail = () => undefined;
    await clock.advance(60_000);
    expect(cache.hasSynced).toBe(true);
    await cache.stop();
  });

  it("keeps only the namespaces and the form it is limited to", async () => {
    const { client, basics, activity } = makeWorld();
    await client.create(things, thing("one", { spec: { size: 1 } }));
    await client.create(things, thing("far", { metadata: { namespace: "b" } }));
    await client.create(things, thing("other", { metadata: { namespace: "c" } }));
    const cache = new Cache({
      ...basics,
      resourceLimits: [
        {
          type: things,
          limits: { namespaces: ["a", "b"], transform: ({ metadata }) => ({ metadata }) },
        },
      ],
    });
    cache.start();
    await cache.waitForSync([things]);
    await activity.whenIdle();
    await client.create(things, thing("late", { metadata: { namespace: "b" } }));
    await client.create(things, thing("never", { metadata: { namespace: "c" } }));
    expect(
      cache
        .list(things)
        .map((each) => each.metadata.name)
        .sort(),
    ).toEqual(["far", "late", "one"]);
    expect(cache.get(things, { namespace: "a", name: "one" })).not.toHaveProperty("spec");
    await cache.stop();
  });

  it("lists by namespace, labels, owner and index", async () => {
    const { client, basics } = makeWorld();
    const owner = await client.create(things, thing("owner"));
    const reference = { apiVersion: "x.io/v1", kind: "Thing", name: "owner", uid: owner.metadata.uid! };
    await client.create(
      parts,
      thing("p1", { metadata: { labels: { app: "web" }, ownerReferences: [reference] } }),
    );
    await client.create(parts, thing("p2", { spec: { size: 3 } }));
    const cache = new Cache(basics);
    cache.addIndex(parts, "size", (part) => (part.spec?.size === undefined ? [] : [String(part.spec.size)]));
    cache.start();
    await cache.waitForSync();
    const listed = (options?: Parameters<typeof cache.list>[1]) =>
      cache.list(parts, options).map((each) => each.metadata.name);
    expect(listed({ namespace: "a", labelSelector: "app=web" })).toEqual(["p1"]);
    expect(listed({ namespace: "b" })).toEqual([]);
    expect(listed({ index: ["size", "3"] })).toEqual(["p2"]);
    expect(cache.listOwned(parts, owner).map((each) => each.metadata.name)).toEqual(["p1"]);
    await cache.stop();
  });

  it("keeps telling the other handlers when one fails", async () => {
    const { client, basics } = makeWorld();
    const cache = new Cache(basics);
    let told = 0;
    cache.informer(things).addHandler(() => {
      throw new Error("broken");
    });
    cache.informer(things).addHandler(() => told++);
    cache.start();
    await cache.waitForSync();
    await nextTurn();
    await client.create(things, thing("one"));
    await client.create(things, thing("two"));
    expect(told).toBe(2);
    await cache.stop();
  });
});
