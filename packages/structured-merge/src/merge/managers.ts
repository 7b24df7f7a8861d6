import type { FieldSet } from "../fieldpath/set.ts";
import type { MergeSchema } from "../schema.ts";

/** What one manager owns. */
export interface OwnedSet {
  readonly set: FieldSet;
  /** The API version whose field names the set uses. */
  readonly version: string;
  /** Whether the manager applies (declares all it wants) rather than updates. */
  readonly applied: boolean;
}

/** Owners by an identifier that the caller chooses; equal identifiers are the same manager. */
export type Managers = ReadonlyMap<string, OwnedSet>;

/** An object in the form of one version. */
export interface VersionedObject {
  readonly value: unknown;
  readonly schema: MergeSchema;
}

/** What an update or apply needs besides objects and owners. */
export interface MergeContext {
  /** The version of the objects handed in. */
  readonly version: string;
  /**
   * The object in another version, for owners that recorded their fields there; undefined when that version no
   * longer exists (its owners are dropped). Default: no other version exists.
   */
  readonly convert?: (object: VersionedObject, version: string) => VersionedObject | undefined;
  /** Drops from a set of a version what this writer may not own. Default: nothing. */
  readonly filter?: (set: FieldSet, version: string) => FieldSet;
}

/** The object in `version`; undefined when that version no longer exists. */
export function toVersion(
  object: VersionedObject,
  from: string,
  version: string,
  context: MergeContext,
): VersionedObject | undefined {
  return from === version ? object : context.convert?.(object, version);
}
