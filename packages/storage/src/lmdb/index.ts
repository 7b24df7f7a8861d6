export { type LmdbStorageOptions, openLmdbStorage } from "./lmdb-storage.ts";
