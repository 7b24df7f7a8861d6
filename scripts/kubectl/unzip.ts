import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

// Source: PKWARE APPNOTE.TXT 6.3.3, sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (its end).
const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;

/** One file of a zip archive, or an Error when it is not in it. Archives beyond 4 GiB are not read. */
export function readZipEntry(archivePath: string, name: string): Buffer {
  const archive = readFileSync(archivePath);
  let at = centralDirectoryOf(archive);
  while (at + 4 <= archive.length && archive.readUInt32LE(at) === CENTRAL_SIGNATURE) {
    const nameBytes = archive.readUInt16LE(at + 28);
    const extraBytes = archive.readUInt16LE(at + 30);
    const commentBytes = archive.readUInt16LE(at + 32);
    if (archive.toString("utf8", at + 46, at + 46 + nameBytes) === name) {
      return contentOf(archive, {
        method: archive.readUInt16LE(at + 10),
        compressedBytes: archive.readUInt32LE(at + 20),
        headerAt: archive.readUInt32LE(at + 42),
      });
    }
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
  throw new Error(`${archivePath} has no ${name}`);
}

function centralDirectoryOf(archive: Buffer): number {
  for (let at = archive.length - END_BYTES; at >= 0; at--) {
    if (archive.readUInt32LE(at) === END_SIGNATURE) return archive.readUInt32LE(at + 16);
  }
  throw new Error("not a zip archive");
}

function contentOf(
  archive: Buffer,
  entry: { readonly method: number; readonly compressedBytes: number; readonly headerAt: number },
): Buffer {
  const nameBytes = archive.readUInt16LE(entry.headerAt + 26);
  const extraBytes = archive.readUInt16LE(entry.headerAt + 28);
  const start = entry.headerAt + 30 + nameBytes + extraBytes;
  const bytes = archive.subarray(start, start + entry.compressedBytes);
  if (entry.method === STORED) return bytes;
  if (entry.method === DEFLATED) return inflateRawSync(bytes);
  throw new Error(`compression method ${entry.method} is not supported`);
}
