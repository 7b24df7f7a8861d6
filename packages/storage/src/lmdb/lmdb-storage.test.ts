import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { expect, it, onTestFinished } from "vitest";
import { StoreCorruptError } from "../errors.ts";
import { RevisionStore } from "../revision-store.ts";
import type { Storage } from "../storage.ts";
import { describeStorageContract } from "../testing/storage-contract.ts";
import { LmdbJournal } from "./lmdb-journal.ts";
import { openLmdbStorage } from "./lmdb-storage.ts";

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "binnacle-lmdb-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

describeStorageContract("LMDB", async () => {
  const directory = await temporaryDirectory();
  let storage: Storage = await openLmdbStorage({ directory });
  return {
    storage,
    reopen: async () => {
      await storage.stop();
      storage = await openLmdbStorage({ directory });
      return storage;
    },
  };
});

describeStorageContract("LMDB with a failing device", async () => {
  const directory = await temporaryDirectory();
  const env = open({ path: join(directory, "store.mdb"), overlappingSync: false });
  const { journal, history } = await LmdbJournal.open(env, directory);
  let isBroken = false;
  const fail = (): void => {
    if (isBroken) throw new Error("EIO: i/o error, fsync");
  };
  const storage = new RevisionStore({
    history,
    journal: {
      // The worst case: the bytes arrive, and then the sync reports that they may not have.
      append: async (events) => {
        await journal.append(events);
        fail();
      },
      repair: async (revision) => {
        fail();
        await journal.repair(revision);
      },
      compact: (revision) => journal.compact(revision),
      close: () => journal.close(),
    },
  });
  return {
    storage,
    faults: {
      breakSync: () => {
        isBroken = true;
      },
      heal: () => {
        isBroken = false;
      },
    },
  };
});

it("says so when the file is not a store", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "store.mdb"), "this is not a database, but it is long enough ".repeat(400));
  await expect(openLmdbStorage({ directory })).rejects.toThrow(StoreCorruptError);
});

it("says so when the file was cut short", async () => {
  const directory = await temporaryDirectory();
  const storage = await openLmdbStorage({ directory });
  for (let i = 0; i < 50; i++) {
    await storage.commit([{ key: `/${i}`, kind: "put", encode: () => ({ value: Buffer.alloc(2_000) }) }]);
  }
  await storage.stop();
  await truncate(join(directory, "store.mdb"), 12_288);
  await expect(openLmdbStorage({ directory })).rejects.toThrow(/cut short/);
});
