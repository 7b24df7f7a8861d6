import { expect, it } from "vitest";
import { describeStorageContract } from "../testing/storage-contract.ts";
import { createMemoryStorage } from "./memory-storage.ts";

describeStorageContract("memory", async () => ({ storage: createMemoryStorage() }));

it("forks share the past and go their own ways", async () => {
  const storage = createMemoryStorage();
  const write = (key: string) => ({ key, kind: "put" as const, encode: () => ({ value: Buffer.from("v") }) });
  await storage.commit([write("/a")]);
  const fork = storage.fork();
  await fork.commit([write("/b")]);
  await storage.commit([write("/c")]);
  expect([storage.count("/"), fork.count("/")]).toEqual([2, 2]);
  expect([storage.get("/b"), fork.get("/c")]).toEqual([undefined, undefined]);
  expect(fork.get("/a", { revision: 1 })).toBe(storage.get("/a", { revision: 1 }));
});

it("drops the oldest history when old values outgrow the bound", async () => {
  const storage = createMemoryStorage({ maxHistoryBytes: 10_000 });
  for (let i = 0; i < 100; i++) {
    await storage.commit([{ key: "/a", kind: "put", encode: () => ({ value: Buffer.alloc(1_000) }) }]);
  }
  expect(storage.compactedRevision).toBeGreaterThan(80);
  expect(storage.get("/a")?.modRevision).toBe(100);
});
