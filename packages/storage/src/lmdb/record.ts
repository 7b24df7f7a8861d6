/** How one write lies in the log: flags, the revision that created the key, the key, the value. */
export interface LogRecord {
  readonly deleted: boolean;
  readonly createRevision: number;
  readonly key: string;
  readonly value: Uint8Array;
}

const HEADER_BYTES = 1 + 8 + 2;
const DELETED = 1;

/** Keys are at most 64 KiB of UTF-8: Kubernetes names and namespaces take at most 253 characters each. */
export function encodeRecord(record: LogRecord): Buffer {
  const keyBytes = Buffer.byteLength(record.key);
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + keyBytes + record.value.length);
  buffer[0] = record.deleted ? DELETED : 0;
  buffer.writeDoubleBE(record.createRevision, 1);
  buffer.writeUInt16BE(keyBytes, 9);
  buffer.write(record.key, HEADER_BYTES);
  buffer.set(record.value, HEADER_BYTES + keyBytes);
  return buffer;
}

/** Undefined when the bytes are not a record. The value is a copy. */
export function decodeRecord(buffer: Buffer): LogRecord | undefined {
  if (buffer.length < HEADER_BYTES) return undefined;
  const flags = buffer[0]!;
  const createRevision = buffer.readDoubleBE(1);
  const keyEnd = HEADER_BYTES + buffer.readUInt16BE(9);
  if (flags > DELETED || !Number.isSafeInteger(createRevision) || keyEnd > buffer.length) return undefined;
  return {
    deleted: flags === DELETED,
    createRevision,
    key: buffer.toString("utf8", HEADER_BYTES, keyEnd),
    value: Buffer.from(buffer.subarray(keyEnd)),
  };
}
