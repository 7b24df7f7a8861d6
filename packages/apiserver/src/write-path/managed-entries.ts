import type { FieldsV1, ManagedFieldsEntry } from "@binnacle/apimachinery";
import {
  EMPTY_SET,
  isEmptySet,
  type Managers,
  type OwnedSet,
  parseFieldSet,
  sortFieldSet,
  union,
} from "@binnacle/structured-merge";

/** The owners of an object as managedFields records them: sets and times by manager identifier. */
export interface RecordedOwners {
  readonly managers: Managers;
  readonly times: ReadonlyMap<string, string>;
  /** The entries that the sets were read from, to be written back as they are while the sets stay the same. */
  readonly entries: ReadonlyMap<string, ManagedFieldsEntry>;
}

export const NO_OWNERS: RecordedOwners = Object.freeze({
  managers: new Map(),
  times: new Map(),
  entries: new Map(),
});

/**
 * What identifies an entry: manager, operation, subresource and, for updates, version. Appliers keep their identity
 * when they turn to another version.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/managedfields.go, BuildManagerIdentifier. The
 * form is upstream's because conflicts are sorted by it.
 */
export function managerIdentifier(entry: ManagedFieldsEntry): string {
  const { manager, operation, subresource } = entry;
  const apiVersion = operation === "Apply" ? undefined : entry.apiVersion;
  return JSON.stringify({
    manager: manager === "" ? undefined : manager,
    operation,
    apiVersion,
    subresource: subresource === "" ? undefined : subresource,
  });
}

/** The entry that an identifier stands for, without version (of an applier), time and fields. */
export function entryOfIdentifier(identifier: string): Readonly<ManagedFieldsEntry> {
  let entry = entries.get(identifier);
  if (entry === undefined) {
    if (entries.size >= MAX_REMEMBERED_ENTRIES) entries.clear();
    entry = Object.freeze(JSON.parse(identifier) as ManagedFieldsEntry); // managerIdentifier wrote it.
    entries.set(identifier, entry);
  }
  return entry;
}

/** Few managers write most of the time: what their identifiers say is read once. */
const entries = new Map<string, Readonly<ManagedFieldsEntry>>();
const MAX_REMEMBERED_ENTRIES = 1_000;

/**
 * Reads managedFields; undefined when an entry is malformed. Sets that `trusted` entries hold as the same objects are
 * taken without a look.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/managedfields.go, DecodeManagedFields.
 */
export function readOwners(
  entries: readonly ManagedFieldsEntry[] | undefined,
  trusted: readonly ManagedFieldsEntry[] = [],
): RecordedOwners | undefined {
  if (entries === undefined || entries.length === 0) return NO_OWNERS;
  const managers = new Map<string, OwnedSet>();
  const times = new Map<string, string>();
  const sources = new Map<string, ManagedFieldsEntry>();
  for (const entry of entries) {
    const { operation, apiVersion, fieldsType, fieldsV1, time } = entry;
    if (operation !== "Apply" && operation !== "Update") return undefined;
    if (apiVersion === undefined || apiVersion === "" || fieldsType !== "FieldsV1") return undefined;
    const isTrusted = trusted.some((known) => known.fieldsV1 === fieldsV1);
    const set = isTrusted || fieldsV1 === undefined ? (fieldsV1 ?? EMPTY_SET) : parseFieldSet(fieldsV1);
    if (set === undefined) return undefined;
    const id = managerIdentifier(entry);
    managers.set(id, { set, version: apiVersion, applied: operation === "Apply" });
    if (typeof time === "string") times.set(id, time);
    else times.delete(id);
    sources.set(id, entry);
  }
  return { managers, times, entries: sources };
}

/**
 * Writes managedFields: appliers first, then by time, manager, version and subresource. Empty when nobody owns
 * anything.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/managedfields.go, sortEncodedManagedFields.
 */
export function writeOwners(owners: RecordedOwners): ManagedFieldsEntry[] {
  const entries: ManagedFieldsEntry[] = [];
  for (const [id, owned] of owners.managers) {
    if (isEmptySet(owned.set)) continue;
    entries.push(writeEntry(id, owned, owners.times.get(id), owners.entries.get(id)));
  }
  return entries.sort(compareEntries);
}

function writeEntry(
  id: string,
  owned: OwnedSet,
  time: string | undefined,
  source: ManagedFieldsEntry | undefined,
): ManagedFieldsEntry {
  const isUnchanged =
    source !== undefined &&
    source.fieldsV1 === owned.set &&
    source.time === time &&
    source.apiVersion === owned.version;
  if (isUnchanged) return source;
  const { manager, operation, subresource } = entryOfIdentifier(id);
  const fieldsV1 = sortFieldSet(owned.set) as FieldsV1; // Read-only to us, but of the same shape.
  return {
    ...(manager === undefined ? {} : { manager }),
    ...(operation === undefined ? {} : { operation }),
    apiVersion: owned.version,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1,
    ...(subresource === undefined ? {} : { subresource }),
  };
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time, b.time) || // Times are RFC 3339 in UTC with whole seconds: their text is in order.
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

function compareText(a = "", b = ""): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/fieldmanager.go, DefaultMaxUpdateManagers. */
const MAX_UPDATE_MANAGERS = 10;

/** Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/capmanagers.go. */
const OLD_UPDATES_MANAGER = "ancient-changes";

/**
 * Merges the oldest updaters of each version into one, until there are at most ten. An only updater of its version
 * stays by itself, whatever its age.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/capmanagers.go, capUpdateManagers.
 */
export function capUpdaters(owners: RecordedOwners): RecordedOwners {
  const updaters = [...owners.managers].filter(([, owned]) => !owned.applied).map(([id]) => id);
  if (updaters.length <= MAX_UPDATE_MANAGERS) return owners;
  updaters.sort((a, b) => compareText(owners.times.get(a), owners.times.get(b)) || compareText(a, b));
  const managers = new Map(owners.managers);
  const times = new Map(owners.times);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const id of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const owned = managers.get(id);
    if (owned === undefined) continue;
    const first = firstOfVersion.get(owned.version);
    if (first === undefined) {
      firstOfVersion.set(owned.version, id);
      continue;
    }
    const bucket = managerIdentifier({
      manager: OLD_UPDATES_MANAGER,
      operation: "Update",
      apiVersion: owned.version,
    });
    let collected = managers.get(bucket);
    if (collected === undefined) {
      collected = managers.get(first) ?? { ...owned, set: EMPTY_SET };
      managers.delete(first);
    }
    const isBucket = id === bucket;
    if (!isBucket) managers.delete(id);
    managers.set(bucket, { ...owned, set: union(owned.set, collected.set) });
    count--;
    const time = owners.times.get(id); // The younger of the two.
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
  return { managers, times, entries: owners.entries };
}
