import type { Activity } from "@binnacle/base";
import { open } from "lmdb";
import { StoreCorruptError } from "../errors.ts";
import { RevisionStore } from "../revision-store.ts";
import { checkLmdbFile } from "./check-file.ts";
import { LmdbJournal } from "./lmdb-journal.ts";
import { requireSpace } from "./require-space.ts";

export interface LmdbStorageOptions {
  /** Must exist. The files in it belong to this store alone; one process at a time. */
  readonly directory: string;
  /** See RevisionStoreOptions. Default 256 MiB. */
  readonly maxHistoryBytes?: number;
  readonly activity?: Activity;
}

/**
 * Opens the durable store of one machine. Throws `StoreCorruptError` when the directory holds something else, and
 * the system's error when it cannot be read or written.
 */
export async function openLmdbStorage(options: LmdbStorageOptions): Promise<RevisionStore> {
  const { directory, maxHistoryBytes, activity } = options;
  const env = openEnvironment(directory);
  try {
    const { journal, history } = await LmdbJournal.open(env, directory);
    return new RevisionStore({ journal, history, maxHistoryBytes, activity });
  } catch (error) {
    await env.close();
    throw error;
  }
}

function openEnvironment(directory: string): ReturnType<typeof open> {
  checkLmdbFile(`${directory}/store.mdb`);
  requireSpace(directory, 0);
  try {
    return open({
      path: `${directory}/store.mdb`,
      // The default acknowledges a write before it is flushed; measured, turning it off cost nothing.
      overlappingSync: false,
      // Turns are gathered above. The library's own gathering drops a promise that ends the process when a write fails.
      eventTurnBatching: false,
      cache: false,
      noMemInit: true,
    });
  } catch (error) {
    if (
      error instanceof Error &&
      /MDB_(INVALID|CORRUPTED|VERSION_MISMATCH|PAGE_NOTFOUND)/.test(error.message)
    ) {
      throw new StoreCorruptError(
        `${directory}/store.mdb is not a store this version can read: ${error.message}`,
        {
          cause: error,
        },
      );
    }
    throw error;
  }
}
