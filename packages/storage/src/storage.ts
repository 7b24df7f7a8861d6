import type { Stoppable } from "@binnacle/base";

/**
 * A total order of writes over keys and bytes.
 *
 * Promises every back end keeps, checked by `testing/storage-contract.ts`:
 * - **Durable before visible.** A write is acknowledged, read and watched only after it is durable.
 * - **One order.** `revision` grows by one per write, over all keys. Readers and watchers see writes in that order.
 * - **Atomic commits.** Of the writes of one `commit`, all happen or none, on consecutive revisions.
 * - **Snapshots.** Within the kept history a read at a revision gives what a reader saw then.
 * - **A failed sync fails its batch and nothing else.** Its writes are never seen. Further writes fail with
 *   `StoreUnavailableError` until the back end has been reopened and verified; reads and watches go on.
 *
 * Reads are synchronous: every back end serves them from memory. A back end that shares its data with other
 * processes must bring its view up to date in {@link Storage.refresh}.
 */
export interface Storage extends Stoppable {
  /** The revision of the newest durable write; 0 in an empty store. */
  readonly revision: number;
  /** Reads at revisions before this one, and watches after them, are refused; 0 when nothing was compacted. */
  readonly compactedRevision: number;

  /** Waits until reads see every write acknowledged anywhere before the call. */
  refresh(): Promise<void>;

  /** The entry at a key. Throws `CompactedError` or `FutureRevisionError` for a revision that is not kept. */
  get(key: string, options?: ReadOptions): Entry | undefined;

  /** Entries whose keys start with `prefix`, in key order. Throws like {@link get}. */
  range(options: RangeOptions): RangeResult;

  /** How many keys start with `prefix` now. */
  count(prefix: string): number;

  /**
   * Writes all or nothing, at most one write per key; resolves when durable. When an expectation does not hold nothing is written and the
   * outcome says which key failed and what is there.
   */
  commit(writes: readonly Write[]): Promise<CommitOutcome>;

  /**
   * Every write after `afterRevision`, in order, once. Past events are returned; later ones are passed to
   * `listener`, batch by batch, right after they became visible. Throws `CompactedError` when events are missing.
   */
  watch(options: WatchOptions): StoreWatch;

  /** Forgets history before `revision`: reads and watches at older revisions are refused from now on. */
  compact(revision: number): Promise<void>;
}

/** A value as it was written. The same object in every snapshot and event that shows this version. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  /** The revision that created the key (again, after a deletion). */
  readonly createRevision: number;
  /** The revision that wrote this value. */
  readonly modRevision: number;
  /** What a reader derived from the value, kept so that it is derived once. The store never looks at it. */
  attachment: unknown;
}

export interface ReadOptions {
  /** Read as of this revision. Default: now. */
  readonly revision?: number | undefined;
}

export interface RangeOptions extends ReadOptions {
  readonly prefix: string;
  /** Only keys greater than this one. */
  readonly after?: string | undefined;
  /** At most this many entries. Default: all. */
  readonly limit?: number | undefined;
}

export interface RangeResult {
  readonly entries: readonly Entry[];
  /** How many further entries the prefix holds after the last one given. */
  readonly remaining: number;
  /** The revision that was read. */
  readonly revision: number;
}

/** One key's part of a commit. */
export interface Write {
  readonly key: string;
  /** The key's modRevision must be this; 0: it must not exist. Undefined: anything. */
  readonly expectedRevision?: number | undefined;
  readonly kind: "put" | "delete";
  /**
   * Whether the write holds, given what the key holds when it is this commit's turn, earlier writes of the same batch
   * included: what must not be decided on old state is decided here, without a lost race for everyone but one.
   * Called before `encode`, and again when a batch is repeated; must not throw. Default: yes.
   */
  readonly admits?: ((current: Entry | undefined) => boolean) | undefined;
  /**
   * Gives the bytes to store, once the revision is known. For a delete: the last words, which watchers get.
   * May be called again with another revision when a batch is repeated; must not throw.
   */
  readonly encode: (revision: number) => EncodedValue;
}

export interface EncodedValue {
  readonly value: Uint8Array;
  readonly attachment?: unknown;
}

export type CommitOutcome =
  /** One entry per write: the stored one, or for a delete its last words. */
  | { readonly ok: true; readonly entries: readonly Entry[] }
  /** `current` is what the key `key` holds; undefined: nothing. */
  | { readonly ok: false; readonly key: string; readonly current: Entry | undefined };

/** One write, as watchers see it. */
export interface StoreEvent {
  readonly revision: number;
  readonly deleted: boolean;
  /** The new entry; of a deletion the last words, with `modRevision` = the deletion's revision. */
  readonly entry: Entry;
  /** What the key held before; undefined: it was created. */
  readonly previous: Entry | undefined;
}

export interface WatchOptions {
  readonly prefix: string;
  readonly afterRevision: number;
  /** Called synchronously after each durable batch that touches the prefix. Must not throw. */
  readonly listener: (events: readonly StoreEvent[]) => void;
}

export interface StoreWatch {
  /** What happened between `afterRevision` and the start of the watch. */
  readonly past: readonly StoreEvent[];
  /** No call of the listener follows. */
  stop(): void;
}
