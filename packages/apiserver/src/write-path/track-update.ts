import {
  decodeObject,
  type ManagedFieldsEntry,
  type ObjectSchema,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import {
  difference,
  type FieldSet,
  fieldElement,
  isEmptySet,
  type Managers,
  type MergeContext,
  recursiveDifference,
  setOfPaths,
  TypedValueError,
  union,
  updateOwners,
  type VersionedObject,
} from "@binnacle/structured-merge";
import {
  capUpdaters,
  managerIdentifier,
  NO_OWNERS,
  type RecordedOwners,
  readOwners,
  writeOwners,
} from "./managed-entries.ts";

/** Who writes, and to what. */
export interface WriterOptions {
  readonly schema: ObjectSchema;
  /** The field manager; empty counts as `unknown`. */
  readonly manager: string;
  /** The version that the objects are in. */
  readonly apiVersion: string;
  /** Default: the object itself. */
  readonly subresource?: string | undefined;
  /** Now, RFC 3339 in UTC with whole seconds. */
  readonly time: string;
  /**
   * Paths that a writer of the main resource never owns, by field names or FieldsV1 elements. Default: `status`.
   * A writer of the status never owns `spec`, whatever this says.
   */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /** The object in another version, with that version's schema; undefined when there is no such version any more. */
  readonly convert?: (
    object: UnstructuredObject,
    apiVersion: string,
  ) => { object: UnstructuredObject; schema: ObjectSchema } | undefined;
}

export interface UpdateOptions extends WriterOptions {
  /** The stored object; undefined on create. */
  readonly live: UnstructuredObject | undefined;
  /** The object to be stored: decoded and defaulted, before admission. */
  readonly updated: UnstructuredObject;
}

/**
 * The managedFields of an object after a create, update or patch; empty when nobody owns anything. An update that
 * changes nothing leaves every entry as it is. Objects whose owners have never been recorded, or were reset, stay
 * without owners until somebody applies. An object that does not fit its schema has no owners.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal: fieldmanager.go (Update),
 * skipnonapplied.go, capmanagers.go, managedfieldsupdater.go, stripmeta.go, structuredmerge.go.
 */
export function trackUpdate(options: UpdateOptions): ManagedFieldsEntry[] {
  const { live, updated } = options;
  const owners = ownersBefore(live, updated, options.subresource);
  if (owners === undefined) return updated.metadata.managedFields ?? [];
  const isCreate = (live?.metadata.uid ?? "") === "";
  if (owners.managers.size === 0 && !isCreate) return [];
  try {
    const tracked = recordUpdate(live ?? emptyObject(options.schema), updated, owners, options);
    return writeOwners(tracked);
  } catch (error) {
    // The object will be refused by validation if it matters; ownership of what has no identity cannot be told.
    if (error instanceof TypedValueError) return [];
    throw error;
  }
}

/** Records an update by `options.manager`, capping the number of updaters. */
export function recordUpdate(
  live: UnstructuredObject,
  updated: UnstructuredObject,
  owners: RecordedOwners,
  options: WriterOptions,
): RecordedOwners {
  const id = managerIdentifier({
    manager: options.manager === "" ? "unknown" : options.manager,
    operation: "Update",
    apiVersion: options.apiVersion,
    subresource: options.subresource ?? "",
  });
  const context = contextOf(options);
  const managers = new Map(
    updateOwners(
      { value: withoutManagedFields(live), schema: options.schema },
      { value: withoutReset(withoutManagedFields(updated), live, options), schema: options.schema },
      owners.managers,
      CURRENT,
      context,
    ),
  );
  const times = new Map(owners.times);
  const taken = managers.get(CURRENT);
  managers.delete(CURRENT);
  const set = taken === undefined ? undefined : difference(taken.set, NEVER_OWNED);
  if (set !== undefined && !isEmptySet(set)) {
    const before = managers.get(id)?.set;
    const after = before === undefined ? set : union(before, set);
    managers.set(id, { set: after, version: options.apiVersion, applied: false });
    // Upstream loses the time when it translates owners of the scale back to the object's.
    if (options.subresource === "scale") times.delete(id);
    else times.set(id, options.time);
  }
  return capUpdaters({ managers, times, entries: owners.entries });
}

/** Stands for the writer until it is known whether it takes anything. No identifier reads so. */
const CURRENT = "current-operation";

/** Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/stripmeta.go. */
const NEVER_OWNED: FieldSet = setOfPaths([
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ["f:metadata", "f:name"],
  ["f:metadata", "f:namespace"],
  ["f:metadata", "f:creationTimestamp"],
  ["f:metadata", "f:selfLink"],
  ["f:metadata", "f:uid"],
  ["f:metadata", "f:clusterName"],
  ["f:metadata", "f:generation"],
  ["f:metadata", "f:managedFields"],
  ["f:metadata", "f:resourceVersion"],
]);

/** Takes from a manager's set what nobody owns; a manager left with nothing goes. */
export function stripNeverOwned(managers: Managers, id: string): Managers {
  const owned = managers.get(id);
  if (owned === undefined) return managers;
  const set = difference(owned.set, NEVER_OWNED);
  if (set === owned.set) return managers;
  const stripped = new Map(managers);
  if (isEmptySet(set)) stripped.delete(id);
  else stripped.set(id, { ...owned, set });
  return stripped;
}

/** How owners of other versions are compared, and what this writer may not own. */
export function contextOf(options: WriterOptions): MergeContext {
  const reset = resetSetOf(options);
  const { convert } = options;
  return {
    version: options.apiVersion,
    ...(isEmptySet(reset) ? {} : { filter: (set) => recursiveDifference(set, reset) }),
    ...(convert === undefined
      ? {}
      : {
          convert: ({ value }, version): VersionedObject | undefined => {
            const converted = convert(value as UnstructuredObject, version); // Only whole objects are converted.
            return converted && { value: withoutManagedFields(converted.object), schema: converted.schema };
          },
        }),
  };
}

const STATUS_ONLY: FieldSet = setOfPaths([["f:status"]]);
const SPEC_ONLY: FieldSet = setOfPaths([["f:spec"]]);
const NOTHING: FieldSet = setOfPaths([]);

function resetSetOf({ subresource = "", resetFields }: WriterOptions): FieldSet {
  if (subresource === "status") return SPEC_ONLY;
  if (subresource !== "") return NOTHING;
  if (resetFields === undefined) return STATUS_ONLY;
  return setOfPaths(
    resetFields.map((path) => path.map((name) => (IS_ELEMENT.test(name) ? name : fieldElement(name)))),
  );
}

/**
 * What a writer of the status sends as spec is not stored and owned by nobody: with the stored spec in its place there
 * is nothing to compare.
 */
function withoutReset(
  updated: UnstructuredObject,
  live: UnstructuredObject,
  { subresource }: WriterOptions,
): UnstructuredObject {
  if (subresource !== "status" || live["spec"] === undefined) return updated;
  return { ...updated, spec: live["spec"] };
}

const IS_ELEMENT = /^[fkvi]:/;

/**
 * The owners to start from: those the request gives, or the stored ones when it gives none or none that can be read.
 * Undefined when not even the stored ones can be read.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/fieldmanager.go, decodeLiveOrNew.
 */
function ownersBefore(
  live: UnstructuredObject | undefined,
  updated: UnstructuredObject,
  subresource = "",
): RecordedOwners | undefined {
  const stored = live?.metadata.managedFields;
  if (subresource !== "") return readOwners(stored, stored);
  const given = updated.metadata.managedFields;
  if (isReset(given)) return NO_OWNERS;
  const owners = readOwners(given, stored);
  return owners === undefined || owners.managers.size === 0 ? readOwners(stored, stored) : owners;
}

/** Whether the request asks to forget all owners: an empty list, or one empty entry. */
function isReset(given: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (given === undefined || given === null) return false;
  return given.length === 0 || (given.length === 1 && Object.keys(given[0]!).length === 0);
}

/** The object without its managedFields, which own nothing and are owned by nobody. */
export function withoutManagedFields(object: UnstructuredObject): UnstructuredObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const emptyObjects = new WeakMap<ObjectSchema, UnstructuredObject>(); // A cache: depends on the schema alone.

/** The zero value of a kind, which a created object is compared with: what the encoder writes is nobody's. */
export function emptyObject(schema: ObjectSchema): UnstructuredObject {
  let empty = emptyObjects.get(schema);
  if (empty === undefined) {
    const { value } = decodeObject<UnstructuredObject>(schema, {});
    value.metadata ??= {};
    empty = Object.freeze(value);
    emptyObjects.set(schema, empty);
  }
  return empty;
}
