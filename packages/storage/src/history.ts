import { mustExist } from "@binnacle/base";
import { CompactedError, FutureRevisionError } from "./errors.ts";
import type { OrderedMap } from "./ordered-map.ts";
import type { Entry, StoreEvent } from "./storage.ts";

/** A write that is visible, and the map as it was right after it. */
interface HistoryRecord {
  readonly event: StoreEvent;
  readonly after: OrderedMap<Entry>;
}

/**
 * The kept past: one record per revision from the compacted one on, oldest first. Copies share their records, so
 * that a fork costs as much as the array of its history.
 */
export class History {
  #records: HistoryRecord[] = [];
  /** Index of the oldest kept record: dropping from the front of an array in place would move it every time. */
  #first = 0;
  #bytes = 0;
  #compactedRevision: number;
  #revision: number;
  #current: OrderedMap<Entry>;
  /** The map at the compacted revision, whose own record may be gone. */
  #oldest: OrderedMap<Entry>;

  /** Starts at a revision with its map; nothing older is kept. */
  constructor(start: { revision: number; current: OrderedMap<Entry> }) {
    this.#revision = start.revision;
    this.#compactedRevision = start.revision;
    this.#current = start.current;
    this.#oldest = start.current;
  }

  get revision(): number {
    return this.#revision;
  }

  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  get current(): OrderedMap<Entry> {
    return this.#current;
  }

  /** Bytes of values that only history holds on to, about. */
  get sizeBytes(): number {
    return this.#bytes;
  }

  append(event: StoreEvent, after: OrderedMap<Entry>): void {
    this.#records.push({ event, after });
    this.#bytes += event.previous?.value.length ?? 0;
    this.#revision = event.revision;
    this.#current = after;
  }

  /** The map right after this revision. */
  at(revision: number): OrderedMap<Entry> {
    if (revision === this.#revision) return this.#current;
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision);
    if (revision < this.#compactedRevision) throw new CompactedError(revision, this.#compactedRevision);
    if (revision === this.#compactedRevision) return this.#oldest;
    return mustExist(this.#records[this.#indexOf(revision)], `revision ${revision}`).after;
  }

  /** Events after this revision, oldest first. */
  eventsAfter(revision: number): StoreEvent[] {
    if (revision < this.#compactedRevision) throw new CompactedError(revision, this.#compactedRevision);
    const events: StoreEvent[] = [];
    for (let i = Math.max(this.#first, this.#indexOf(revision + 1)); i < this.#records.length; i++) {
      events.push(this.#records[i]!.event);
    }
    return events;
  }

  /** Drops records before `revision`; that revision itself stays readable. */
  compact(revision: number): void {
    const target = Math.min(revision, this.#revision);
    if (target <= this.#compactedRevision) return;
    this.#oldest = this.at(target);
    this.#compactedRevision = target;
    const until = this.#indexOf(target);
    for (; this.#first < until; this.#first++) {
      const dropped = this.#records[this.#first]!;
      this.#bytes -= dropped.event.previous?.value.length ?? 0;
    }
    if (this.#first > this.#records.length / 2) {
      this.#records = this.#records.slice(this.#first);
      this.#first = 0;
    }
  }

  /** The oldest revision so that the records from it on hold at most `maxBytes` of old values. */
  revisionWithin(maxBytes: number): number {
    let bytes = this.#bytes;
    for (let i = this.#first; i < this.#records.length; i++) {
      if (bytes <= maxBytes) return this.#records[i]!.event.revision;
      bytes -= this.#records[i]!.event.previous?.value.length ?? 0;
    }
    return this.#revision;
  }

  fork(): History {
    const copy = new History({ revision: this.#revision, current: this.#current });
    copy.#compactedRevision = this.#compactedRevision;
    copy.#oldest = this.#oldest;
    copy.#records = this.#records.slice(this.#first);
    copy.#bytes = this.#bytes;
    return copy;
  }

  /** Revisions are consecutive, so the place follows from the newest one. */
  #indexOf(revision: number): number {
    return this.#records.length - 1 - (this.#revision - revision);
  }
}
