import {
  difference,
  ensureNamedFieldsAreMembers,
  type FieldSet,
  intersection,
  isEmptySet,
  union,
} from "../fieldpath/set.ts";
import { merge } from "../typed/merge.ts";
import { removeItems } from "../typed/remove-items.ts";
import { toFieldSet } from "../typed/to-field-set.ts";
import { valuesEqual } from "../typed/value.ts";
import {
  type Managers,
  type MergeContext,
  type OwnedSet,
  toVersion,
  type VersionedObject,
} from "./managers.ts";
import { reconcileManagers, settleOwners } from "./update.ts";

/** What an apply comes to. */
export interface ApplyResult {
  /** Undefined when the apply changes nothing of the object. */
  readonly value: unknown;
  readonly managers: Managers;
}

/**
 * Applies what `manager` wants: merges it into `live`, and removes what the manager wanted before, does not want now,
 * and nobody else owns. `config` must have been validated (see `validateTyped`).
 *
 * Throws `MergeConflictError` when a field changes that somebody else owns, unless `force`: then ownership moves.
 * Source: structured-merge-diff v6 merge/update.go, Updater.Apply.
 */
export function applyConfig(
  live: VersionedObject,
  config: VersionedObject,
  managers: Managers,
  manager: string,
  options: MergeContext & { readonly force: boolean },
): ApplyResult {
  const { version } = options;
  const reconciled = new Map<string, OwnedSet>(reconcileManagers(live, managers, options));
  const last = reconciled.get(manager);
  const wanted = toFieldSet(config.value, config.schema);
  const set = options.filter?.(wanted, version) ?? wanted;
  reconciled.set(manager, { set, version, applied: true });

  const merged: VersionedObject = {
    value: merge(live.value, config.value, live.schema),
    schema: live.schema,
  };
  const pruned = last === undefined ? merged : prune(merged, reconciled, last, options);
  const { owners } = settleOwners(live, pruned, reconciled, manager, options.force, options);
  const unchanged = valuesEqual(live.value, pruned.value);
  return { value: unchanged ? undefined : pruned.value, managers: owners };
}

/** Removes what the manager's last set holds and no set of anybody's holds now. */
function prune(
  merged: VersionedObject,
  managers: Managers,
  last: OwnedSet,
  context: MergeContext,
): VersionedObject {
  if (isEmptySet(last.set)) return merged;
  const converted = toVersion(merged, context.version, last.version, context);
  if (converted === undefined) return merged;
  const { schema } = converted;
  const lastMembers = ensureNamedFieldsAreMembers(last.set, schema);
  let pruned = remove(converted, lastMembers);
  pruned = addBackOwned(converted, pruned, last.version, managers, context);

  // Whatever else went with a removed struct or item, and was never this manager's, stays.
  const prunedSet = ensureNamedFieldsAreMembers(toFieldSet(pruned.value, schema), schema);
  const mergedSet = ensureNamedFieldsAreMembers(toFieldSet(converted.value, schema), schema);
  pruned = remove(converted, intersection(difference(mergedSet, prunedSet), lastMembers));
  return toVersion(pruned, last.version, context.version, context) ?? merged;
}

/** Restores what somebody owns, including the manager itself by its new configuration. */
function addBackOwned(
  merged: VersionedObject,
  pruned: VersionedObject,
  prunedVersion: string,
  managers: Managers,
  context: MergeContext,
): VersionedObject {
  const ownedIn = new Map<string, FieldSet>();
  for (const owned of managers.values()) {
    const before = ownedIn.get(owned.version);
    ownedIn.set(owned.version, before === undefined ? owned.set : union(before, owned.set));
  }
  // The version pruned in comes first: what conversions require is back before anything is converted.
  const versions = [prunedVersion, ...[...ownedIn.keys()].filter((version) => version !== prunedVersion)];
  let version = prunedVersion;
  for (const next of versions) {
    const owned = ownedIn.get(next);
    if (owned === undefined) continue;
    const nextMerged = toVersion(merged, version, next, context);
    const nextPruned = toVersion(pruned, version, next, context);
    if (nextMerged === undefined || nextPruned === undefined) continue;
    merged = nextMerged;
    version = next;
    const { schema } = merged;
    const kept = union(
      ensureNamedFieldsAreMembers(toFieldSet(nextPruned.value, schema), schema),
      ensureNamedFieldsAreMembers(owned, schema),
    );
    const present = ensureNamedFieldsAreMembers(toFieldSet(merged.value, schema), schema);
    pruned = remove(merged, difference(present, kept));
  }
  return toVersion(pruned, version, prunedVersion, context) ?? pruned;
}

/** An object that loses everything is still an object. */
function remove(object: VersionedObject, set: FieldSet): VersionedObject {
  return { schema: object.schema, value: removeItems(object.value, set, object.schema) ?? {} };
}
