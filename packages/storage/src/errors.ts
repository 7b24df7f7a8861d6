/** The revision asked for is no longer kept. */
export class CompactedError extends Error {
  override readonly name = "CompactedError";
  /** What was asked for. */
  readonly revision: number;
  /** The oldest revision that can still be read. */
  readonly compactedRevision: number;

  constructor(revision: number, compactedRevision: number) {
    super(`revision ${revision} was compacted; the oldest kept is ${compactedRevision}`);
    this.revision = revision;
    this.compactedRevision = compactedRevision;
  }
}

/** The revision asked for has not been written yet. */
export class FutureRevisionError extends Error {
  override readonly name = "FutureRevisionError";
  readonly revision: number;
  /** The newest revision. */
  readonly current: number;

  constructor(revision: number, current: number) {
    super(`revision ${revision} is in the future; the newest is ${current}`);
    this.revision = revision;
    this.current = current;
  }
}

/** What a {@link StoreUnavailableError} says when the device refused a write. */
export const WRITE_NOT_DURABLE = "the write could not be made durable";

/** The write was not stored: the device refused it, or an earlier refusal has not been repaired yet. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** What the data directory holds cannot be used as it is. The message says what to do. */
export class StoreCorruptError extends Error {
  override readonly name = "StoreCorruptError";
}
