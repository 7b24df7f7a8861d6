import { statfsSync } from "node:fs";

/** What LMDB may need besides the values: copies of the pages on the way to each, and its list of free pages. */
const RESERVE_BYTES = 1024 * 1024;
const COPIES = 3;

/**
 * Throws ENOSPC when a write of so many bytes might fill the disk.
 *
 * LMDB is not asked to write then: a commit that fails half-way damages the memory of the process (lmdb-js 3.5).
 */
export function requireSpace(directory: string, sizeBytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize >= RESERVE_BYTES + COPIES * sizeBytes) return;
  throw Object.assign(new Error(`ENOSPC: no space left on device, write to ${directory}`), {
    code: "ENOSPC",
  });
}
