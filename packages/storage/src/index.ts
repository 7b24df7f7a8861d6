export {
  CompactedError,
  FutureRevisionError,
  StoreCorruptError,
  StoreUnavailableError,
  WRITE_NOT_DURABLE,
} from "./errors.ts";
export { createMemoryStorage } from "./memory/memory-storage.ts";
export { type Journal, RevisionStore, type RevisionStoreOptions } from "./revision-store.ts";
export type {
  CommitOutcome,
  EncodedValue,
  Entry,
  RangeOptions,
  RangeResult,
  ReadOptions,
  Storage,
  StoreEvent,
  StoreWatch,
  WatchOptions,
  Write,
} from "./storage.ts";
