import { describe, expect, it, onTestFinished } from "vitest";
import { CompactedError, FutureRevisionError, StoreUnavailableError } from "../errors.ts";
import type { CommitOutcome, Storage, StoreEvent, Write } from "../storage.ts";

/** A store under test and what the suite needs of its surroundings. */
export interface StorageFixture {
  readonly storage: Storage;
  /** The next sync fails, and so does every repair until `heal` is called. Undefined: the back end has no sync. */
  readonly faults?: { breakSync(): void; heal(): void };
  /** Closes the store and opens the same data again. Undefined: nothing survives closing. */
  readonly reopen?: () => Promise<Storage>;
}

/** The promises of {@link Storage}, as tests. Each test gets a fresh, empty store. */
export function describeStorageContract(name: string, create: () => Promise<StorageFixture>): void {
  const start = async (): Promise<StorageFixture> => {
    const fixture = await create();
    onTestFinished(() => fixture.storage.stop());
    return fixture;
  };

  describe(`${name} storage: reading and writing`, () => {
    it("gives back what was written, with the revision that was passed to the encoder", async () => {
      const { storage } = await start();
      const outcome = await storage.commit([put("/a", (revision) => `at ${revision}`)]);
      expect(outcome.ok && outcome.entries[0]?.modRevision).toBe(1);
      expect(text(storage.get("/a"))).toBe("at 1");
      expect(storage.revision).toBe(1);
    });

    it("numbers writes one by one over all keys", async () => {
      const { storage } = await start();
      const outcomes = await Promise.all(["/a", "/b", "/c"].map((key) => storage.commit([put(key)])));
      expect(outcomes.map((outcome) => outcome.ok && outcome.entries[0]?.modRevision)).toEqual([1, 2, 3]);
    });

    it("keeps the creating revision over updates and starts anew after a deletion", async () => {
      const { storage } = await start();
      await storage.commit([put("/a")]);
      await storage.commit([put("/a")]);
      expect(storage.get("/a")).toMatchObject({ createRevision: 1, modRevision: 2 });
      await storage.commit([remove("/a")]);
      await storage.commit([put("/a")]);
      expect(storage.get("/a")).toMatchObject({ createRevision: 4, modRevision: 4 });
    });

    it.each([
      ["a create of an existing key", put("/a", "x", 0)],
      ["an update at an old revision", put("/a", "x", 7)],
      ["a delete at an old revision", remove("/a", 7)],
      ["a delete of a missing key", remove("/missing")],
      ["an update of a missing key", put("/missing", "x", 1)],
    ])("refuses %s, says what is there and takes no revision", async (_title, write) => {
      const { storage } = await start();
      await storage.commit([put("/a", "kept")]);
      const outcome = await storage.commit([write]);
      expect(outcome.ok).toBe(false);
      if (!outcome.ok) expect(outcome.current).toBe(storage.get(write.key));
      expect(storage.revision).toBe(1);
    });

    it("writes all of a commit or nothing", async () => {
      const { storage } = await start();
      await storage.commit([put("/a", "old")]);
      expect((await storage.commit([put("/b"), put("/a", "new", 9)])).ok).toBe(false);
      expect(storage.get("/b")).toBeUndefined();
      expect((await storage.commit([put("/b"), put("/a", "new", 1), put("/c")])).ok).toBe(true);
      expect([text(storage.get("/a")), storage.revision]).toEqual(["new", 4]);
    });

    it("lets exactly one of many equal compare-and-swaps win", async () => {
      const { storage } = await start();
      await storage.commit([put("/a")]);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, i) => storage.commit([put("/a", String(i), 1)])),
      );
      expect(outcomes.filter((outcome: CommitOutcome) => outcome.ok)).toHaveLength(1);
    });

    it("lets a write decide on what writes before it left, and keep the rest of its commit out", async () => {
      const { storage } = await start();
      await storage.commit([put("/count", "0")]);
      const take = (key: string): Promise<CommitOutcome> => {
        let count = 0;
        const counted: Write = {
          key: "/count",
          kind: "put",
          admits(current) {
            count = Number(text(current));
            return count < 3;
          },
          encode: () => ({ value: Buffer.from(String(count + 1)) }),
        };
        return storage.commit([put(key), counted]);
      };
      const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => take(`/taken/${i}`)));
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, ...Array<boolean>(7).fill(false)]);
      expect([text(storage.get("/count")), storage.count("/taken/")]).toEqual(["3", 3]);
    });

    it("refuses only the commit whose encoder throws", async () => {
      const { storage } = await start();
      const broken = storage.commit([
        put("/bad", () => {
          throw new Error("cannot encode");
        }),
      ]);
      const fine = storage.commit([put("/good")]);
      await expect(broken).rejects.toThrow("cannot encode");
      expect((await fine).ok).toBe(true);
      expect(storage.get("/good")?.modRevision).toBe(1);
    });

    it("lists a prefix in key order, page by page, and says how many follow", async () => {
      const { storage } = await start();
      for (const key of ["/p/c", "/p/a", "/q/x", "/p/b", "/o/z", "/p/d"]) await storage.commit([put(key)]);
      const first = storage.range({ prefix: "/p/", limit: 2 });
      expect(first.entries.map((entry) => entry.key)).toEqual(["/p/a", "/p/b"]);
      expect(first.remaining).toBe(2);
      const second = storage.range({ prefix: "/p/", limit: 2, after: "/p/b" });
      expect(second.entries.map((entry) => entry.key)).toEqual(["/p/c", "/p/d"]);
      expect([second.remaining, storage.count("/p/"), storage.count("/none/")]).toEqual([0, 4, 0]);
    });
  });

  describe(`${name} storage: the past`, () => {
    it("reads any kept revision as it was", async () => {
      const { storage } = await start();
      await storage.commit([put("/a", "one")]);
      await storage.commit([put("/b", "two")]);
      await storage.commit([remove("/a")]);
      expect(storage.range({ prefix: "/", revision: 2 }).entries.map(text)).toEqual(["one", "two"]);
      expect(text(storage.get("/a", { revision: 1 }))).toBe("one");
      expect(storage.get("/b", { revision: 1 })).toBeUndefined();
      expect(() => storage.get("/a", { revision: 4 })).toThrow(FutureRevisionError);
    });

    it("refuses reads and watches before the compacted revision and keeps that revision itself", async () => {
      const { storage } = await start();
      for (const value of ["one", "two", "three"]) await storage.commit([put("/a", value)]);
      await storage.compact(2);
      expect(storage.compactedRevision).toBe(2);
      expect(() => storage.get("/a", { revision: 1 })).toThrow(CompactedError);
      expect(text(storage.get("/a", { revision: 2 }))).toBe("two");
      expect(() => storage.watch({ prefix: "/", afterRevision: 1, listener: () => {} })).toThrow(
        CompactedError,
      );
      const watch = storage.watch({ prefix: "/", afterRevision: 2, listener: () => {} });
      expect(watch.past.map((event) => event.revision)).toEqual([3]);
    });
  });

  describe(`${name} storage: watching`, () => {
    it("delivers every event after the start once and in order, past and future", async () => {
      const { storage } = await start();
      await storage.commit([put("/p/a", "1")]);
      await storage.commit([put("/p/a", "2")]);
      const seen: StoreEvent[] = [];
      const watch = storage.watch({
        prefix: "/p/",
        afterRevision: 1,
        listener: (events) => seen.push(...events),
      });
      await Promise.all([storage.commit([put("/p/b", "3")]), storage.commit([put("/q/x")])]);
      await storage.commit([remove("/p/a")]);
      expect([...watch.past, ...seen].map((event) => event.revision)).toEqual([2, 3, 5]);
      expect(seen.at(-1)).toMatchObject({ deleted: true, entry: { key: "/p/a", modRevision: 5 } });
      expect(text(seen.at(-1)?.previous)).toBe("2");
    });

    it("shows a write to readers and watchers before its writer is told", async () => {
      const { storage } = await start();
      let seenAt = 0;
      storage.watch({
        prefix: "/",
        afterRevision: 0,
        listener: (events) => (seenAt = events[0]?.revision ?? 0),
      });
      await storage.commit([put("/a")]);
      expect([seenAt, storage.get("/a")?.modRevision]).toEqual([1, 1]);
    });

    it("calls nobody after stop", async () => {
      const { storage } = await start();
      let calls = 0;
      storage.watch({ prefix: "/", afterRevision: 0, listener: () => calls++ }).stop();
      await storage.commit([put("/a")]);
      expect(calls).toBe(0);
    });
  });

  describe(`${name} storage: failures`, () => {
    it("refuses writes after it was stopped", async () => {
      const { storage } = await start();
      await storage.stop();
      await expect(storage.commit([put("/a")])).rejects.toThrow(StoreUnavailableError);
    });

    it("never shows the writes of a failed sync, goes on reading, and writes again once repaired", async (context) => {
      const { storage, faults } = await start();
      if (faults === undefined) return context.skip("no sync that could fail");
      await storage.commit([put("/a", "before")]);
      const seen: StoreEvent[] = [];
      storage.watch({ prefix: "/", afterRevision: 1, listener: (events) => seen.push(...events) });
      faults.breakSync();
      const failed = [storage.commit([put("/a", "lost")]), storage.commit([put("/b", "lost")])];
      for (const commit of failed) await expect(commit).rejects.toThrow(StoreUnavailableError);
      await expect(storage.commit([put("/c", "lost")])).rejects.toThrow(StoreUnavailableError);
      expect([text(storage.get("/a")), storage.get("/b"), storage.revision, seen.length]).toEqual([
        "before",
        undefined,
        1,
        0,
      ]);
      faults.heal();
      expect((await storage.commit([put("/b", "after")])).ok).toBe(true);
      expect([text(storage.get("/b")), storage.revision]).toEqual(["after", 2]);
      expect(seen.map((event) => event.revision)).toEqual([2]);
    });

    it("opens again with everything acknowledged: values, revisions and the kept past", async (context) => {
      const { storage, reopen } = await start();
      if (reopen === undefined) return context.skip("nothing survives closing");
      await storage.commit([put("/a", "one")]);
      await storage.commit([put("/b", "two")]);
      await storage.commit([put("/a", "three")]);
      await storage.commit([remove("/b")]);
      await storage.compact(2);
      const again = await reopen();
      onTestFinished(() => again.stop());
      expect([again.revision, again.compactedRevision]).toEqual([4, 2]);
      expect(again.range({ prefix: "/" }).entries.map(text)).toEqual(["three"]);
      expect(again.range({ prefix: "/", revision: 2 }).entries.map(text)).toEqual(["one", "two"]);
      expect(again.get("/a")).toMatchObject({ createRevision: 1, modRevision: 3 });
      const { past } = again.watch({ prefix: "/", afterRevision: 2, listener: () => {} });
      expect(past.map((event) => [event.revision, event.deleted])).toEqual([
        [3, false],
        [4, true],
      ]);
      await again.compact(4);
      const third = await reopen();
      onTestFinished(() => third.stop());
      expect([third.revision, third.range({ prefix: "/" }).entries.map(text)]).toEqual([4, ["three"]]);
      await third.commit([put("/c", "five")]);
      expect(third.get("/c")?.modRevision).toBe(5);
    });
  });
}

function put(
  key: string,
  value: string | ((revision: number) => string) = "value",
  expectedRevision?: number,
): Write {
  const encode = (revision: number): { value: Uint8Array } => ({
    value: Buffer.from(typeof value === "string" ? value : value(revision)),
  });
  return { key, kind: "put", expectedRevision, encode };
}

function remove(key: string, expectedRevision?: number): Write {
  return { key, kind: "delete", expectedRevision, encode: () => ({ value: Buffer.from("last words") }) };
}

function text(entry: { readonly value: Uint8Array } | undefined): string | undefined {
  return entry === undefined ? undefined : Buffer.from(entry.value).toString();
}
