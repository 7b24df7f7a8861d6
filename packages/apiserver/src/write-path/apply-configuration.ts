import {
  badRequest,
  parseApiVersion,
  type StatusError,
  statusError,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import {
  type ApplyResult,
  applyConfig,
  difference,
  formatPath,
  formatTypedErrors,
  isEmptySet,
  type MergeConflict,
  MergeConflictError,
  setOfPaths,
  TypedValueError,
  validateTyped,
} from "@binnacle/structured-merge";
import { allowedConflicts, renewLastApplied } from "./last-applied.ts";
import {
  entryOfIdentifier,
  managerIdentifier,
  type RecordedOwners,
  readOwners,
  writeOwners,
} from "./managed-entries.ts";
import {
  contextOf,
  emptyObject,
  recordUpdate,
  stripNeverOwned,
  type WriterOptions,
  withoutManagedFields,
} from "./track-update.ts";

export interface ApplyOptions extends WriterOptions {
  /** The stored object; undefined when the apply creates it. */
  readonly live: UnstructuredObject | undefined;
  /** What the manager wants, as it was sent. */
  readonly config: UnstructuredObject;
  /** Takes fields from other managers instead of failing. */
  readonly force: boolean;
}

/** Owns what was there before the first apply to an object without owners. */
const BEFORE_FIRST_APPLY = "before-first-apply";

/** Whose applies take over from client-side apply. */
const KUBECTL = "kubectl";

/**
 * The object after a server-side apply, with its managedFields; neither decoded nor defaulted. Shares with `live` and
 * `config`. When nothing changes it equals `live`, but for owners.
 *
 * Throws 409 with a cause per field on conflicts, 400 for a configuration with managedFields, and 500 for one that
 * does not fit the schema.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal: fieldmanager.go (Apply),
 * lastappliedmanager.go, skipnonapplied.go, managedfieldsupdater.go, structuredmerge.go.
 */
export function applyConfiguration(options: ApplyOptions): UnstructuredObject {
  const { config, schema } = options;
  if (config.metadata.managedFields !== undefined && config.metadata.managedFields !== null) {
    throw badRequest("metadata.managedFields must be nil");
  }
  const live = options.live ?? emptyObject(schema);
  const errors = validateTyped(config, schema);
  if (errors.length > 0) {
    throw statusError(
      500,
      "",
      `failed to create typed patch object (${describe(config)}): ${formatTypedErrors(errors)}`,
    );
  }
  const owners = ownersOfLive(live, options);
  const { value, owners: after } = applyWithUpgrade(live, owners, options);
  const merged = { ...withoutManagedFields(value ?? live) };
  merged.metadata = { ...merged.metadata };
  const managedFields = writeOwners(after);
  if (managedFields.length > 0) merged.metadata.managedFields = managedFields;
  return options.manager === KUBECTL ? renewLastApplied(merged, config) : merged;
}

interface Applied {
  readonly value: UnstructuredObject | undefined;
  readonly owners: RecordedOwners;
}

/** The recorded owners; an object without any is owned by {@link BEFORE_FIRST_APPLY}. */
function ownersOfLive(live: UnstructuredObject, options: ApplyOptions): RecordedOwners {
  const stored = live.metadata.managedFields;
  const owners = readOwners(stored, stored);
  if (owners === undefined) throw statusError(500, "", "failed to decode managed fields");
  if (owners.managers.size > 0 || options.live === undefined) return owners;
  try {
    return recordUpdate(emptyObject(options.schema), live, owners, {
      ...options,
      manager: BEFORE_FIRST_APPLY,
    });
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    throw statusError(500, "", `failed to create manager for existing fields: ${error.message}`);
  }
}

/** Applies; kubectl may take what its client-side apply left in the last-applied annotation without force. */
function applyWithUpgrade(live: UnstructuredObject, owners: RecordedOwners, options: ApplyOptions): Applied {
  try {
    return applyOnce(live, owners, options, options.force);
  } catch (error) {
    if (!(error instanceof MergeConflictError)) throw error;
    const allowed = options.manager === KUBECTL ? allowedConflicts(live, options) : undefined;
    if (allowed === undefined) throw conflictError(error.conflicts);
    const remaining = error.conflicts.filter(
      ({ path }) => !isEmptySet(difference(setOfPaths([path]), allowed)),
    );
    if (remaining.length > 0) throw conflictError(remaining);
    return applyOnce(live, owners, options, true);
  }
}

function applyOnce(
  live: UnstructuredObject,
  owners: RecordedOwners,
  options: ApplyOptions,
  force: boolean,
): Applied {
  const { schema, config, apiVersion } = options;
  const id = managerIdentifier({
    manager: options.manager === "" ? "unknown" : options.manager,
    operation: "Apply",
    apiVersion,
    subresource: options.subresource ?? "",
  });
  let result: ApplyResult;
  try {
    result = applyConfig(
      { value: withoutManagedFields(live), schema },
      { value: config, schema },
      owners.managers,
      id,
      { ...contextOf(options), force },
    );
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    throw statusError(500, "", `failed to create typed live object (${describe(live)}): ${error.message}`);
  }
  const times = new Map(owners.times);
  if (result.value !== undefined) times.set(id, options.time);
  return {
    value: result.value as UnstructuredObject | undefined, // Merging an object with an object gives an object.
    owners: { managers: stripNeverOwned(result.managers, id), times, entries: owners.entries },
  };
}

/** Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/structuredmerge.go, objectGVKNN. */
function describe(object: UnstructuredObject): string {
  const { group, version } = parseApiVersion(object.apiVersion ?? "") ?? { group: "", version: "" };
  const { namespace = "", name = "" } = object.metadata;
  return `${namespace}/${name}; ${group}/${version}, Kind=${object.kind ?? ""}`;
}

/** Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/conflict.go. */
function conflictError(conflicts: readonly MergeConflict[]): StatusError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${describeManager(manager)}`,
    field: formatPath(path),
  }));
  return statusError(409, "Conflict", conflictMessage(conflicts), { causes });
}

function conflictMessage(conflicts: readonly MergeConflict[]): string {
  if (conflicts.length === 1) {
    const { manager, path } = conflicts[0]!;
    return `Apply failed with 1 conflict: conflict with ${describeManager(manager)}: ${formatPath(path)}`;
  }
  const lines: string[] = [];
  let previous: string | undefined;
  for (const { manager, path } of conflicts) {
    if (manager !== previous) lines.push(`conflicts with ${describeManager(manager)}:`);
    previous = manager;
    lines.push(`- ${formatPath(path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function describeManager(id: string): string {
  const { manager = "", operation, apiVersion, subresource } = entryOfIdentifier(id);
  let text = JSON.stringify(manager);
  if (subresource !== undefined) text += ` with subresource ${JSON.stringify(subresource)}`;
  return operation === "Update" ? `${text} using ${apiVersion}` : text;
}
