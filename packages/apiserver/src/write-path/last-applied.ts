import type { UnstructuredObject } from "@binnacle/apimachinery";
import { cloneJson, JsonSyntaxError, parseJson, setOwn, stringifyJson } from "@binnacle/base";
import {
  compare,
  difference,
  type FieldSet,
  TypedValueError,
  toFieldSet,
  validateTyped,
} from "@binnacle/structured-merge";
import type { WriterOptions } from "./track-update.ts";

/** Where kubectl's client-side apply keeps the configuration it applied last. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** Source: kubernetes v1.36 apimachinery/pkg/api/validation/objectmeta.go, TotalAnnotationSizeLimitB. */
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

/**
 * What client-side apply owns without saying so: the fields of the last-applied annotation whose values are still the
 * object's. Undefined when there is no usable annotation.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/lastappliedmanager.go.
 */
export function allowedConflicts(live: UnstructuredObject, options: WriterOptions): FieldSet | undefined {
  const text = live.metadata.annotations?.[LAST_APPLIED];
  if (text === undefined || text === "") return undefined;
  try {
    const { value } = parseJson(text);
    const applied = value as { apiVersion?: unknown } | null; // Asked for one field only, and validated below.
    if (applied?.apiVersion !== options.apiVersion || validateTyped(value, options.schema).length > 0) {
      return undefined;
    }
    const { added, modified, removed } = compare(value, live, options.schema);
    const set = difference(difference(toFieldSet(value, options.schema), modified), added);
    return difference(set, removed);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof TypedValueError) return undefined;
    throw error;
  }
}

/**
 * The object with its last-applied annotation brought up to date with `config`, so that kubectl can go back to
 * client-side apply. Objects without the annotation stay without it; one that grows too large is dropped.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/lastappliedupdater.go.
 */
export function renewLastApplied(object: UnstructuredObject, config: UnstructuredObject): UnstructuredObject {
  const { annotations } = object.metadata;
  if (annotations === undefined || (annotations[LAST_APPLIED] ?? "") === "") return object;
  const applied = cloneJson(config);
  if (applied.metadata.annotations !== undefined && applied.metadata.annotations !== null) {
    delete applied.metadata.annotations[LAST_APPLIED];
  }
  const renewed = { ...annotations, [LAST_APPLIED]: `${encodeGoJson(applied)}\n` };
  let bytes = 0;
  for (const [key, value] of Object.entries(renewed))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (bytes > MAX_ANNOTATIONS_BYTES) delete (renewed as Record<string, string>)[LAST_APPLIED];
  return { ...object, metadata: { ...object.metadata, annotations: renewed } };
}

/** JSON as Go's encoder writes a map: keys in order, and `<`, `>` and `&` escaped. */
function encodeGoJson(value: unknown): string {
  return stringifyJson(sortKeys(value)).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort())
    setOwn(out, key, sortKeys((value as Record<string, unknown>)[key]));
  return out;
}
