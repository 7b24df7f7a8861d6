export {
  fieldElement,
  formatElement,
  keyElement,
  type PathElement,
  parseElement,
  valueElement,
} from "./fieldpath/element.ts";
export { parseFieldSet, sortFieldSet } from "./fieldpath/serialize.ts";
export {
  difference,
  EMPTY_SET,
  type FieldSet,
  hasPath,
  intersection,
  isEmptySet,
  leavesOf,
  pathsOf,
  recursiveDifference,
  setOfPaths,
  setsEqual,
  union,
} from "./fieldpath/set.ts";
export { type ApplyResult, applyConfig } from "./merge/apply.ts";
export { formatPath, type MergeConflict, MergeConflictError } from "./merge/conflict.ts";
export type { Managers, MergeContext, OwnedSet, VersionedObject } from "./merge/managers.ts";
export { updateOwners } from "./merge/update.ts";
export {
  DEDUCED,
  type MergeField,
  type MergeList,
  type MergeMap,
  type MergeObject,
  type MergeScalar,
  type MergeSchema,
} from "./schema.ts";
export { type Comparison, compare } from "./typed/compare.ts";
export { formatTypedErrors, type TypedError, TypedValueError } from "./typed/errors.ts";
export { merge } from "./typed/merge.ts";
export { extractItems, removeItems } from "./typed/remove-items.ts";
export { toFieldSet } from "./typed/to-field-set.ts";
export { validateTyped } from "./typed/validate.ts";
