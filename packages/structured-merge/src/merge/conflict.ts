import { formatElement, type PathElement } from "../fieldpath/element.ts";
import { type FieldSet, pathsOf } from "../fieldpath/set.ts";

/** A field that an apply would change although another manager owns it. */
export interface MergeConflict {
  /** The owner's identifier. */
  readonly manager: string;
  readonly path: readonly PathElement[];
}

/** An apply without force met fields of other owners. */
export class MergeConflictError extends Error {
  override readonly name = "MergeConflictError";
  /** By manager identifier, then by path. */
  readonly conflicts: readonly MergeConflict[];

  constructor(conflicts: readonly MergeConflict[]) {
    super(`${conflicts.length} fields belong to other managers`);
    this.conflicts = conflicts;
  }
}

/** One conflict for every path of every owner, in a fixed order. */
export function conflictsOf(sets: ReadonlyMap<string, FieldSet>): MergeConflict[] {
  const managers = [...sets.keys()].sort();
  return managers.flatMap((manager) => pathsOf(sets.get(manager)!).map((path) => ({ manager, path })));
}

/** A path as messages show it, such as `.spec.containers[name="a"].image`. */
export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatElement).join("");
}
