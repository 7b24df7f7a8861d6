import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { StoreCorruptError } from "../errors.ts";

// Source: LMDB 0.9 mdb.c as lmdb-js ships it: struct MDB_page header of 24 bytes, then struct MDB_meta.
const META_OFFSET = 24;
const MAGIC = 0xbeefc0de;
const PAGE_SIZE_OFFSET = META_OFFSET + 24;
const LAST_PAGE_OFFSET = META_OFFSET + 120;
const TRANSACTION_OFFSET = META_OFFSET + 128;
const META_BYTES = TRANSACTION_OFFSET + 8;

/**
 * Refuses a file that LMDB would crash on: one that is no LMDB file, or shorter than its newest state says. A missing
 * or empty file is fine.
 */
export function checkLmdbFile(path: string): void {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return; // Node's fs errors carry a code.
    throw error;
  }
  try {
    const size = fstatSync(file).size;
    if (size === 0) return;
    const first = readMeta(file, 0);
    const second = first === undefined ? undefined : readMeta(file, first.pageSize);
    if (first === undefined || second === undefined) {
      throw new StoreCorruptError(`${path} is not a store: move it away, or choose another data directory`);
    }
    const newest = second.transaction > first.transaction ? second : first;
    if (size < (newest.lastPage + 1) * first.pageSize) {
      throw new StoreCorruptError(`${path} is cut short (${size} bytes): restore it from a backup`);
    }
  } finally {
    closeSync(file);
  }
}

function readMeta(
  file: number,
  position: number,
): { pageSize: number; lastPage: number; transaction: number } | undefined {
  const page = Buffer.alloc(META_BYTES);
  if (readSync(file, page, 0, META_BYTES, position) < META_BYTES) return undefined;
  if (page.readUInt32LE(META_OFFSET) !== MAGIC) return undefined;
  return {
    pageSize: page.readUInt32LE(PAGE_SIZE_OFFSET),
    lastPage: Number(page.readBigUInt64LE(LAST_PAGE_OFFSET)),
    transaction: Number(page.readBigUInt64LE(TRANSACTION_OFFSET)),
  };
}
