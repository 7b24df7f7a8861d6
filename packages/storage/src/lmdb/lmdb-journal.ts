import { nextTurn } from "@binnacle/base";
import type { Database, RootDatabase } from "lmdb";
import { StoreCorruptError } from "../errors.ts";
import { History } from "../history.ts";
import { OrderedMap } from "../ordered-map.ts";
import type { Journal } from "../revision-store.ts";
import type { Entry, StoreEvent } from "../storage.ts";
import { decodeRecord, encodeRecord } from "./record.ts";
import { requireSpace } from "./require-space.ts";

/** Raised when the layout changes; an older program then refuses the directory instead of misreading it. */
const FORMAT = 1;

/**
 * The log of all writes in LMDB: revision → record. Values live nowhere else, so the current state is what the log
 * adds up to, and compaction removes the records that nothing shows any more.
 */
export class LmdbJournal implements Journal {
  readonly #env: RootDatabase;
  readonly #log: Database<Buffer, number>;
  readonly #meta: Database<number, string>;
  /** Records that compaction will remove, in the order in which they become removable. */
  readonly #garbage: { removableAt: number; revision: number }[];
  #garbageStart = 0;
  readonly #directory: string;
  #hasFailed = false;

  private constructor(
    env: RootDatabase,
    log: Database<Buffer, number>,
    meta: Database<number, string>,
    garbage: { removableAt: number; revision: number }[],
    directory: string,
  ) {
    this.#directory = directory;
    this.#env = env;
    this.#log = log;
    this.#meta = meta;
    this.#garbage = garbage;
  }

  /** Reads the whole log. Throws {@link StoreCorruptError} when it is not one this program can read. */
  static async open(
    env: RootDatabase,
    directory: string,
  ): Promise<{ journal: LmdbJournal; history: History }> {
    const log = env.openDB<Buffer, number>({ name: "log", encoding: "binary" });
    const meta = env.openDB<number, string>({ name: "meta", encoding: "json" });
    const format = meta.get("format");
    if (format === undefined) await committed(meta.put("format", FORMAT));
    else if (format !== FORMAT) {
      throw new StoreCorruptError(
        `${directory} holds data of format ${format}; this version reads format ${FORMAT}`,
      );
    }
    const compactedRevision = meta.get("compacted") ?? 0;
    const garbage: { removableAt: number; revision: number }[] = [];
    const history = replay(log, compactedRevision, garbage, directory);
    return { journal: new LmdbJournal(env, log, meta, garbage, directory), history };
  }

  async append(events: readonly StoreEvent[]): Promise<void> {
    requireSpace(
      this.#directory,
      events.reduce((sum, { entry }) => sum + entry.value.length, 0),
    );
    await this.#committed(
      this.#log.batch(() => {
        for (const event of events) {
          const { key, createRevision, value } = event.entry;
          const record = encodeRecord({ deleted: event.deleted, createRevision, key, value });
          joinBatch(this.#log.put(event.revision, record));
        }
      }),
    );
    for (const event of events) noteGarbage(this.#garbage, event);
  }

  async repair(revision: number): Promise<void> {
    requireSpace(this.#directory, 0);
    const stray = [...this.#log.getKeys({ start: revision + 1 })];
    await this.#committed(
      this.#log.batch(() => {
        for (const key of stray) joinBatch(this.#log.remove(key));
        joinBatch(this.#meta.put("repaired", revision)); // Makes the batch write even when nothing is stray.
      }),
    );
    if (this.#log.getKeysCount({ start: revision + 1 }) > 0) {
      throw new Error("writes that were refused could not be taken back");
    }
  }

  async compact(revision: number): Promise<void> {
    requireSpace(this.#directory, 0);
    const removed: number[] = [];
    for (; this.#garbageStart < this.#garbage.length; this.#garbageStart++) {
      const next = this.#garbage[this.#garbageStart]!;
      if (next.removableAt > revision) break;
      removed.push(next.revision);
    }
    if (this.#garbageStart > 1024) this.#garbage.splice(0, this.#garbageStart);
    if (this.#garbageStart > 1024) this.#garbageStart = 0;
    await this.#committed(
      this.#log.batch(() => {
        joinBatch(this.#meta.put("compacted", revision)); // Also the floor of the next revision: the newest record may go.
        for (const key of removed) joinBatch(this.#log.remove(key));
      }),
    );
  }

  /** Everything acknowledged is on the disk, so that an environment that has failed may be left to the process's end. */
  async close(): Promise<void> {
    // The library crashes when it closes an environment in which a commit has failed.
    if (!this.#hasFailed) await this.#env.close();
  }

  async #committed(batch: Promise<unknown>): Promise<void> {
    try {
      await committed(batch);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }
}

/** A write within a batch: the outcome of the whole batch is what is waited for, and this one's is the same. */
function joinBatch(write: Promise<boolean>): void {
  write.catch(() => {});
}

/**
 * Waits for a batch. Of a failed one, the library gives the cause in a second promise of its own, which would end the
 * process if nobody waited for it: it becomes the error.
 */
async function committed(batch: Promise<unknown>): Promise<void> {
  try {
    await batch;
  } catch (error) {
    const { commitError } = error as { commitError?: Promise<never> }; // Source: lmdb-js write.js, rejectCommit.
    if (commitError === undefined) throw error;
    const unknown = nextTurn().then(() => error); // It is rejected in the same turn, or not at all.
    throw await Promise.race([commitError.catch((cause: unknown) => cause), unknown]);
  }
}

function replay(
  log: Database<Buffer, number>,
  compactedRevision: number,
  garbage: { removableAt: number; revision: number }[],
  directory: string,
): History {
  let history: History | undefined;
  let current = OrderedMap.empty<Entry>();
  let last = 0;
  for (const { key: revision, value } of log.getRange({ snapshot: false })) {
    const record = decodeRecord(value);
    if (record === undefined || typeof revision !== "number") {
      throw new StoreCorruptError(`the log in ${directory} is damaged at revision ${String(revision)}`);
    }
    if (revision > compactedRevision && history === undefined) {
      history = new History({ revision: compactedRevision, current });
    }
    if (history !== undefined && revision !== history.revision + 1) {
      throw new StoreCorruptError(`the log in ${directory} lacks revision ${history.revision + 1}`);
    }
    const previous = current.get(record.key);
    const entry: Entry = {
      key: record.key,
      value: record.value,
      createRevision: record.createRevision,
      modRevision: revision,
      attachment: undefined,
    };
    current = record.deleted ? current.delete(record.key) : current.set(record.key, entry);
    const event: StoreEvent = { revision, deleted: record.deleted, entry, previous };
    noteGarbage(garbage, event);
    history?.append(event, current);
    last = revision;
  }
  return history ?? new History({ revision: Math.max(last, compactedRevision), current });
}

function noteGarbage(garbage: { removableAt: number; revision: number }[], event: StoreEvent): void {
  if (event.previous !== undefined) {
    garbage.push({ removableAt: event.revision, revision: event.previous.modRevision });
  }
  if (event.deleted) garbage.push({ removableAt: event.revision, revision: event.revision });
}
