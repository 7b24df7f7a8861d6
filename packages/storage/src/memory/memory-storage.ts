import { RevisionStore, type RevisionStoreOptions } from "../revision-store.ts";

/** A store that lives as long as the process: for tests and forks. `fork()` copies it in O(kept history). */
export function createMemoryStorage(options: Omit<RevisionStoreOptions, "journal"> = {}): RevisionStore {
  return new RevisionStore(options);
}
