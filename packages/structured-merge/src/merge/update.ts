import { difference, EMPTY_SET, type FieldSet, intersection, isEmptySet, union } from "../fieldpath/set.ts";
import { type Comparison, compare } from "../typed/compare.ts";
import { conflictsOf, MergeConflictError } from "./conflict.ts";
import {
  type Managers,
  type MergeContext,
  type OwnedSet,
  toVersion,
  type VersionedObject,
} from "./managers.ts";
import { collapseAtomic } from "./reconcile.ts";

/**
 * Who owns what after `manager` has turned `live` into `updated` by create, update or patch: the manager takes what it
 * added or changed, everybody loses what it removed or took.
 *
 * Throws a typed value error when either object has list items without identity.
 * Source: structured-merge-diff v6 merge/update.go, Updater.Update.
 */
export function updateOwners(
  live: VersionedObject,
  updated: VersionedObject,
  managers: Managers,
  manager: string,
  context: MergeContext,
): Managers {
  const reconciled = reconcileManagers(live, managers, context);
  const { owners, comparison } = settleOwners(live, updated, reconciled, manager, true, context);
  const before = owners.get(manager)?.set ?? EMPTY_SET;
  const taken = union(union(difference(before, comparison.removed), comparison.modified), comparison.added);
  const set = context.filter?.(taken, context.version) ?? taken;
  if (isEmptySet(set)) owners.delete(manager);
  else owners.set(manager, { set, version: context.version, applied: false });
  return owners;
}

/** Adjusts what everybody owns to today's schema. Owners of versions that are gone are dropped. */
export function reconcileManagers(
  live: VersionedObject,
  managers: Managers,
  context: MergeContext,
): Managers {
  const reconciled = new Map<string, OwnedSet>();
  const versions = new Map<string, VersionedObject | undefined>();
  for (const [id, owned] of managers) {
    if (!versions.has(owned.version)) {
      versions.set(owned.version, toVersion(live, context.version, owned.version, context));
    }
    const object = versions.get(owned.version);
    if (object === undefined) continue;
    const set = collapseAtomic(owned.set, object.schema);
    reconciled.set(id, set === owned.set ? owned : { ...owned, set });
  }
  return reconciled;
}

/**
 * Takes from everybody but `manager` what changes between the two objects. Without `force`, a change of a field that
 * somebody else owns throws {@link MergeConflictError} instead; removals never conflict.
 */
export function settleOwners(
  live: VersionedObject,
  updated: VersionedObject,
  managers: Managers,
  manager: string,
  force: boolean,
  context: MergeContext,
): { owners: Map<string, OwnedSet>; comparison: Comparison } {
  const filtered = (comparison: Comparison, version: string): Comparison => {
    const filter = context.filter;
    if (filter === undefined) return comparison;
    return {
      added: filter(comparison.added, version),
      modified: filter(comparison.modified, version),
      removed: filter(comparison.removed, version),
    };
  };
  const comparison = filtered(compare(live.value, updated.value, updated.schema), context.version);
  const comparisons = new Map<string, Comparison | undefined>([[context.version, comparison]]);
  const comparisonIn = (version: string): Comparison | undefined => {
    if (!comparisons.has(version)) {
      const before = toVersion(live, context.version, version, context);
      const after = before && toVersion(updated, context.version, version, context);
      const result = after && filtered(compare(before.value, after.value, after.schema), version);
      comparisons.set(version, result);
    }
    return comparisons.get(version);
  };

  const owners = new Map<string, OwnedSet>();
  const conflicts = new Map<string, FieldSet>();
  for (const [id, owned] of managers) {
    if (id === manager) {
      if (!isEmptySet(owned.set)) owners.set(id, owned);
      continue;
    }
    const versioned = comparisonIn(owned.version);
    if (versioned === undefined) continue; // That version is gone, and with it this owner's claims.
    if (!force) {
      const conflicting = intersection(owned.set, union(versioned.modified, versioned.added));
      if (!isEmptySet(conflicting)) conflicts.set(id, conflicting);
    }
    let set = difference(owned.set, versioned.modified);
    set = difference(set, versioned.added);
    set = difference(set, versioned.removed);
    if (isEmptySet(set)) continue;
    owners.set(id, set === owned.set ? owned : { ...owned, set });
  }
  if (conflicts.size > 0) throw new MergeConflictError(conflictsOf(conflicts));
  return { owners, comparison };
}
