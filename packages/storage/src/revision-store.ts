import { type Activity, nextTurn } from "@binnacle/base";
import { StoreUnavailableError, WRITE_NOT_DURABLE } from "./errors.ts";
import { History } from "./history.ts";
import { OrderedMap } from "./ordered-map.ts";
import type {
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

/** What makes batches durable. The memory back end has none. */
export interface Journal {
  /** Resolves when every event is durable. On rejection none may be taken for granted. */
  append(events: readonly StoreEvent[]): Promise<void>;
  /** Makes sure that nothing after `revision` is stored and that the device accepts writes. Rejects while not. */
  repair(revision: number): Promise<void>;
  compact(revision: number): Promise<void>;
  close(): Promise<void>;
}

export interface RevisionStoreOptions {
  readonly journal?: Journal | undefined;
  readonly history?: History | undefined;
  /** History is compacted early when the old values in it take more than this many bytes. Default 256 MiB. */
  readonly maxHistoryBytes?: number | undefined;
  readonly activity?: Activity | undefined;
}

const DEFAULT_MAX_HISTORY_BYTES = 256 * 1024 * 1024;

/**
 * The engine of the memory and LMDB back ends: all entries in an immutable ordered map, one map per kept revision.
 *
 * Commits queue up while a batch is on its way to the journal and then form the next one, so that a sync is shared
 * by everyone who waited for the one before (group commit). Expectations are checked when a batch is formed: against
 * durable state and the batch's own earlier writes, never against something that may still fail.
 */
export class RevisionStore implements Storage {
  readonly #journal: Journal | undefined;
  readonly #history: History;
  readonly #maxHistoryBytes: number;
  readonly #activity: Activity | undefined;
  readonly #watches = new Set<{ prefix: string; listener: WatchOptions["listener"] }>();
  #queue: PendingCommit[] = [];
  #isFlushing = false;
  #failure: unknown;
  #isStopped = false;
  #whenFlushed: Promise<void> = Promise.resolve();

  constructor(options: RevisionStoreOptions = {}) {
    this.#journal = options.journal;
    this.#history = options.history ?? new History({ revision: 0, current: OrderedMap.empty() });
    this.#maxHistoryBytes = options.maxHistoryBytes ?? DEFAULT_MAX_HISTORY_BYTES;
    this.#activity = options.activity;
  }

  get revision(): number {
    return this.#history.revision;
  }

  get compactedRevision(): number {
    return this.#history.compactedRevision;
  }

  refresh(): Promise<void> {
    return Promise.resolve(); // This process is the only writer and acknowledges what readers already see.
  }

  get(key: string, options: ReadOptions = {}): Entry | undefined {
    const map = options.revision === undefined ? this.#history.current : this.#history.at(options.revision);
    return map.get(key);
  }

  range(options: RangeOptions): RangeResult {
    const revision = options.revision ?? this.#history.revision;
    const map = options.revision === undefined ? this.#history.current : this.#history.at(revision);
    const { prefix, after } = options;
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    const entries: Entry[] = [];
    const from = after !== undefined && after >= prefix ? after : prefix;
    let hasMore = false;
    map.forEachFrom(from, (key, entry) => {
      if (!key.startsWith(prefix)) return false;
      if (key === after) return true;
      if (entries.length >= limit) {
        hasMore = true;
        return false;
      }
      entries.push(entry);
      return true;
    });
    const last = entries.at(-1);
    const remaining = hasMore && last !== undefined ? map.rank(endOf(prefix)) - map.rank(last.key) - 1 : 0;
    return { entries, remaining, revision };
  }

  count(prefix: string): number {
    return this.#history.current.rank(endOf(prefix)) - this.#history.current.rank(prefix);
  }

  commit(writes: readonly Write[]): Promise<CommitOutcome> {
    if (this.#isStopped) return Promise.reject(new StoreUnavailableError("the store is closed"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ writes, resolve, reject });
      if (!this.#isFlushing) this.#startFlushing();
    });
  }

  watch(options: WatchOptions): StoreWatch {
    const { prefix, listener } = options;
    const past = this.#history
      .eventsAfter(options.afterRevision)
      .filter((event) => event.entry.key.startsWith(prefix));
    const watch = { prefix, listener };
    this.#watches.add(watch);
    return { past, stop: () => void this.#watches.delete(watch) };
  }

  async compact(revision: number): Promise<void> {
    const target = Math.min(revision, this.revision);
    if (target <= this.compactedRevision) return;
    this.#history.compact(target);
    await this.#journal?.compact(target);
  }

  /** A copy that shares all values and goes its own way from here on. It has no journal. */
  fork(options: { activity?: Activity } = {}): RevisionStore {
    return new RevisionStore({
      history: this.#history.fork(),
      maxHistoryBytes: this.#maxHistoryBytes,
      activity: options.activity,
    });
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await this.#whenFlushed;
    this.#watches.clear();
    await this.#journal?.close();
  }

  #startFlushing(): void {
    this.#isFlushing = true;
    this.#activity?.begin();
    this.#whenFlushed = this.#flushAll().finally(() => this.#activity?.end());
  }

  async #flushAll(): Promise<void> {
    try {
      // Durable: the whole turn's writes join the first batch. In memory a microtask does, which keeps virtual time exact.
      if (this.#journal === undefined) await Promise.resolve();
      else await nextTurn();
      while (this.#queue.length > 0) {
        const batch = this.#queue;
        this.#queue = [];
        await this.#flush(batch);
      }
    } finally {
      this.#isFlushing = false;
    }
  }

  async #flush(pending: readonly PendingCommit[]): Promise<void> {
    if (this.#failure !== undefined && !(await this.#tryRepair(pending))) return;
    const batch = stage(pending, this.#history.current, this.#history.revision);
    if (batch.events.length > 0 && this.#journal !== undefined) {
      try {
        await this.#journal.append(batch.events);
      } catch (cause) {
        this.#failure = cause;
        rejectAll(pending, new StoreUnavailableError(WRITE_NOT_DURABLE, { cause }));
        return;
      }
    }
    for (let i = 0; i < batch.events.length; i++) this.#history.append(batch.events[i]!, batch.maps[i]!);
    this.#notify(batch.events);
    for (const { commit, outcome } of batch.outcomes) commit.resolve(outcome);
    if (this.#history.sizeBytes > this.#maxHistoryBytes) {
      // Half of the bound: compacting on every batch would rewrite the journal again and again.
      await this.#compactEarly(this.#history.revisionWithin(this.#maxHistoryBytes / 2));
    }
  }

  /** History is dropped either way; a journal that cannot drop it is repaired before the next write. */
  async #compactEarly(revision: number): Promise<void> {
    try {
      await this.compact(revision);
    } catch (cause) {
      this.#failure = cause;
    }
  }

  async #tryRepair(pending: readonly PendingCommit[]): Promise<boolean> {
    try {
      await this.#journal?.repair(this.revision);
      this.#failure = undefined;
      return true;
    } catch (cause) {
      rejectAll(
        pending,
        new StoreUnavailableError("the store refuses writes since a sync failed", { cause }),
      );
      return false;
    }
  }

  #notify(events: readonly StoreEvent[]): void {
    if (events.length === 0) return;
    for (const watch of [...this.#watches]) {
      const relevant = events.filter((event) => event.entry.key.startsWith(watch.prefix));
      if (relevant.length > 0 && this.#watches.has(watch)) watch.listener(relevant);
    }
  }
}

interface PendingCommit {
  readonly writes: readonly Write[];
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

interface StagedBatch {
  readonly events: StoreEvent[];
  /** The map after each event. */
  readonly maps: OrderedMap<Entry>[];
  readonly outcomes: { readonly commit: PendingCommit; readonly outcome: CommitOutcome }[];
}

function stage(
  pending: readonly PendingCommit[],
  start: OrderedMap<Entry>,
  startRevision: number,
): StagedBatch {
  const batch: StagedBatch = { events: [], maps: [], outcomes: [] };
  let map = start;
  let revision = startRevision;
  for (const commit of pending) {
    const failed = commit.writes.find((write) => !holds(write, map));
    if (failed !== undefined) {
      batch.outcomes.push({ commit, outcome: { ok: false, key: failed.key, current: map.get(failed.key) } });
      continue;
    }
    const staged = stageWrites(commit.writes, map, revision);
    if ("error" in staged) {
      commit.reject(staged.error); // Encoding failed: nothing of this commit was taken over.
      continue;
    }
    for (const event of staged.events) {
      revision = event.revision;
      map = event.deleted ? map.delete(event.entry.key) : map.set(event.entry.key, event.entry);
      batch.events.push(event);
      batch.maps.push(map);
    }
    batch.outcomes.push({
      commit,
      outcome: { ok: true, entries: staged.events.map((event) => event.entry) },
    });
  }
  return batch;
}

function stageWrites(
  writes: readonly Write[],
  map: OrderedMap<Entry>,
  startRevision: number,
): { events: StoreEvent[] } | { error: unknown } {
  const events: StoreEvent[] = [];
  let revision = startRevision;
  for (const write of writes) {
    const previous = map.get(write.key);
    revision++;
    let encoded: EncodedValue;
    try {
      encoded = write.encode(revision);
    } catch (error) {
      return { error };
    }
    const entry: Entry = {
      key: write.key,
      value: encoded.value,
      createRevision: previous?.createRevision ?? revision,
      modRevision: revision,
      attachment: encoded.attachment,
    };
    events.push({ revision, deleted: write.kind === "delete", entry, previous });
  }
  return { events };
}

function holds(write: Write, map: OrderedMap<Entry>): boolean {
  const current = map.get(write.key);
  if (write.kind === "delete" && current === undefined) return false;
  if (write.expectedRevision !== undefined && write.expectedRevision !== (current?.modRevision ?? 0))
    return false;
  return write.admits?.(current) ?? true;
}

function rejectAll(pending: readonly PendingCommit[], error: StoreUnavailableError): void {
  for (const commit of pending) commit.reject(error);
}

/** The first key after all keys with this prefix. Keys are UTF-16 strings without the highest code unit. */
function endOf(prefix: string): string {
  return `${prefix}\uffff`;
}
