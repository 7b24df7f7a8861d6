import { type JsonValue, setOwn } from "@binnacle/base";
import { badRequest, type StatusError, statusError } from "../errors/status-error.ts";
import type { Field, ObjectSchema, Schema } from "../schema/schema.ts";
import { formatGoValue, goTypeOf, isJsonObject, type JsonObject, kindName } from "./json-object.ts";
import { withoutNulls } from "./merge-patch.ts";
import { keyOf, orderElements } from "./strategic-order.ts";

const PATCH = "$patch";
const RETAIN_KEYS = "$retainKeys";
const DELETE_FROM = "$deleteFromPrimitiveList";
const SET_ORDER = "$setElementOrder";

/**
 * The document after a strategic merge patch: objects merge, null removes, and lists merge by key or as sets where the
 * schema says so (`patchStrategy`, `patchMergeKey`). The directives `$patch`, `$retainKeys`,
 * `$deleteFromPrimitiveList/…` and `$setElementOrder/…` are obeyed. Neither input is changed.
 *
 * Throws 400 for malformed directives, 422 for lists of lists, and 500, as upstream does, for everything else.
 * Source: kubernetes v1.36 apimachinery/pkg/util/strategicpatch/patch.go, StrategicMergeMapPatch.
 */
export function applyStrategicMergePatch(
  document: JsonValue,
  patch: JsonValue,
  schema: ObjectSchema,
): JsonValue {
  if (patch === null) return document;
  if (!isJsonObject(patch)) {
    throw badRequest(
      `json: cannot unmarshal ${kindName(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return mergeMap(isJsonObject(document) ? document : {}, patch, schema);
}

function mergeMap(document: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  if (Object.hasOwn(patch, PATCH)) return obeyMapDirective(patch);
  const rest = new Map(Object.entries(patch));
  const merged = new Map(Object.entries(document));
  retainKeys(merged, rest);
  setElementOrders(merged, rest, schema);
  for (const [key, value] of rest) mergeEntry(merged, key, value, schema);
  const out: JsonObject = {};
  for (const [key, value] of merged) setOwn(out, key, value);
  return out;
}

function obeyMapDirective(patch: JsonObject): JsonObject {
  const directive = patch[PATCH]!;
  if (directive === "delete") return {};
  if (directive !== "replace") throw failure(badPatchType(directive, patch));
  const out: JsonObject = {};
  for (const key of Object.keys(patch)) if (key !== PATCH) setOwn(out, key, patch[key]);
  return out;
}

/** Merges one entry that no other directive has dealt with. */
function mergeEntry(merged: Map<string, JsonValue>, name: string, value: JsonValue, schema: Schema): void {
  const isDeletion = name.startsWith(DELETE_FROM);
  const key = isDeletion ? fieldOfDirective(name, DELETE_FROM) : name;
  if (value === null) {
    merged.delete(key);
    return;
  }
  const current = merged.get(key);
  if (current === undefined || typeClass(current) !== typeClass(value)) {
    if (isDeletion) return;
    const kept = withoutDirectives(withoutNulls(value));
    if (kept === undefined) merged.delete(key);
    else merged.set(key, kept);
    return;
  }
  if (isJsonObject(current) && isJsonObject(value)) {
    const { schema: fieldSchema, strategy } = lookUp(schema, key);
    merged.set(key, strategy === "replace" ? value : mergeMap(current, value, fieldSchema));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const field = lookUp(schema, key);
    merged.set(key, field.strategy === "merge" ? mergeList(current, value, field, isDeletion) : value);
  } else merged.set(key, value);
}

/** Values of the same class are merged; others replace one another. */
function typeClass(value: JsonValue): string {
  return goTypeOf(value);
}

/** Removes what `$retainKeys` does not list. */
function retainKeys(merged: Map<string, JsonValue>, patch: Map<string, JsonValue>): void {
  const list = patch.get(RETAIN_KEYS);
  if (list === undefined) return;
  patch.delete(RETAIN_KEYS);
  if (!Array.isArray(list)) throw badRequest("invalid patch format of retainKeys");
  const retained = new Set(list);
  for (const [key, value] of patch) {
    if (value === null || key.startsWith(DELETE_FROM) || key.startsWith(SET_ORDER)) continue;
    if (!retained.has(key)) throw badRequest("invalid patch format of retainKeys");
  }
  for (const key of [...merged.keys()]) if (!retained.has(key)) merged.delete(key);
}

/** Merges the lists that have an order directive, and takes them and their directives out of the patch. */
function setElementOrders(
  merged: Map<string, JsonValue>,
  patch: Map<string, JsonValue>,
  schema: Schema,
): void {
  for (const [name, order] of [...patch]) {
    if (!name.startsWith(SET_ORDER)) continue;
    patch.delete(name);
    if (!Array.isArray(order)) throw failure(badArgument("[]interface {}", order));
    const key = fieldOfDirective(name, SET_ORDER);
    const current = merged.get(key);
    const patched = patch.get(key);
    if (current !== undefined && !Array.isArray(current))
      throw failure(badArgument("[]interface {}", current));
    if (patched !== undefined && !Array.isArray(patched))
      throw failure(badArgument("[]interface {}", patched));
    const field = lookUp(schema, key);
    checkOrder(patched ?? [], order, field.mergeKey);
    let items: JsonValue[];
    if (current !== undefined && patched !== undefined) {
      items = field.strategy === "merge" ? mergeList(current, patched, field, false) : patched;
    } else if (current !== undefined) items = current;
    else if (patched !== undefined)
      items = (withoutDirectives(patched) ?? []) as JsonValue[]; // A list stays one.
    else continue;
    elementClass([current ?? [], patched ?? []]);
    merged.set(key, orderElements(items, order, current ?? [], field.mergeKey));
    patch.delete(key);
  }
}

/** The order of the patch must be that of the directive, which must list all that the patch does not delete. */
function checkOrder(patch: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const present = patch.filter((item) => mergeKey === "" || mapOf(item)[PATCH] !== "delete");
  let next = 0;
  let at = 0;
  while (next < present.length && at < order.length) {
    const item = present[next]!;
    if (isJsonObject(item) && Object.hasOwn(item, PATCH)) {
      next++;
      continue;
    }
    if (keyOf(item, mergeKey, required) === keyOf(order[at]!, mergeKey, required)) next++;
    at++;
  }
  if (next >= present.length) return;
  throw failure(
    `The order in patch list:\n${formatGoValue([...patch])}\n doesn't match ${SET_ORDER} list:\n${formatGoValue([...order])}\n`,
  );
}

function mergeList(
  document: readonly JsonValue[],
  patch: readonly JsonValue[],
  field: PatchField,
  isDeletion: boolean,
): JsonValue[] {
  if (document.length === 0 && patch.length === 0) return [...document];
  if (elementClass([document, patch]) !== "map") {
    if (isDeletion) return document.filter((item) => !patch.includes(item));
    const merged = [...new Set([...document, ...patch])];
    return orderElements(merged, patch, document, "");
  }
  const { mergeKey } = field;
  if (mergeKey === "") {
    throw failure("cannot merge lists without merge key for type struct");
  }
  const special = obeyListDirectives(document, patch, mergeKey);
  const merged = [...special.document];
  for (const item of special.patch) {
    const entry = mapOf(item);
    const key = keyOf(entry, mergeKey, required);
    const at = merged.findIndex((candidate) => mapOf(candidate)[mergeKey] === key);
    if (at >= 0) merged[at] = mergeMap(mapOf(merged[at]!), entry, field.items);
    else merged.push(withoutDirectives(entry) ?? entry);
  }
  return orderElements(merged, special.patch, special.document, mergeKey);
}

/** Takes items with `$patch` out of the patch and does what they say to the document's list. */
function obeyListDirectives(
  document: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string,
): { document: readonly JsonValue[]; patch: readonly JsonValue[] } {
  const ordinary: JsonValue[] = [];
  let kept = document;
  let isReplaced = false;
  for (const item of patch) {
    const entry = mapOf(item);
    if (!Object.hasOwn(entry, PATCH)) {
      ordinary.push(item);
      continue;
    }
    switch (entry[PATCH]) {
      case "delete": {
        const key = keyOf(entry, mergeKey, required);
        kept = kept.filter((candidate) => mapOf(candidate)[mergeKey] !== key);
        break;
      }
      case "replace":
        isReplaced = true;
        break;
      case "merge":
        throw failure("merging lists cannot yet be specified in the patch");
      default:
        throw failure(badPatchType(entry[PATCH]!, entry));
    }
  }
  return isReplaced ? { document: ordinary, patch: [] } : { document: kept, patch: ordinary };
}

/** The value without parts that hold `$patch`; undefined when it is such a part. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, PATCH)) return undefined;
  const out: JsonObject = {};
  for (const key of Object.keys(value)) {
    const kept = withoutDirectives(value[key]!);
    if (kept !== undefined) setOwn(out, key, kept);
  }
  return out;
}

/** What the schema says of merging one field. */
interface PatchField {
  readonly schema: Schema;
  /** The schema of a list's items; the field's own for everything else. */
  readonly items: Schema;
  readonly strategy: "merge" | "replace" | "";
  /** Empty when there is none. */
  readonly mergeKey: string;
}

/** Source: kubernetes v1.36 apimachinery/third_party/forked/golang/json/fields.go. */
function lookUp(schema: Schema, key: string): PatchField {
  if (schema.type === "map") {
    return { schema: schema.values, items: itemsOf(schema.values), strategy: "", mergeKey: "" };
  }
  const field: Field | undefined = schema.type === "object" ? schema.fields.get(key) : undefined;
  if (field === undefined) {
    const name = schema.type === "object" ? schema.goName : "name" in schema ? schema.name : undefined;
    const struct = (name ?? "").split(".").at(-1)!;
    throw failure(`unable to find api field in struct ${struct} for the json field ${JSON.stringify(key)}`);
  }
  const strategy = field.patchStrategy?.find((word) => word !== "retainKeys") ?? "";
  return {
    schema: field.schema,
    items: itemsOf(field.schema),
    strategy: strategy as PatchField["strategy"], // "retainKeys" was left out.
    mergeKey: field.patchMergeKey ?? "",
  };
}

function itemsOf(schema: Schema): Schema {
  return schema.type === "list" ? schema.items : schema;
}

/** The field that a directive such as `$setElementOrder/containers` is about. */
function fieldOfDirective(name: string, prefix: string): string {
  const slash = name.indexOf("/");
  if (slash >= 0 && name.slice(0, slash) === prefix) return name.slice(slash + 1);
  throw badRequest(
    prefix === DELETE_FROM
      ? "invalid patch format of primitive list"
      : "invalid patch format of $setElementOrder list",
  );
}

/** Whether the lists hold maps or scalars; they must agree. */
function elementClass(lists: readonly (readonly JsonValue[])[]): "map" | "scalar" {
  let first: string | undefined;
  for (const item of lists.flat()) {
    const type = goTypeOf(item as JsonValue); // Lists of lists are refused below, so nothing is lost by flattening.
    first ??= type;
    if (type !== first) {
      throw failure(
        `list element types are not identical: [${lists.map((list) => formatGoValue([...list])).join(" ")}]`,
      );
    }
  }
  if (lists.some((list) => list.some(Array.isArray))) {
    throw statusError(422, "Invalid", "the server rejected our request due to an error in our request", {});
  }
  if (first === undefined) throw failure("no elements in any of the given slices");
  return first === "map[string]interface {}" ? "map" : "scalar";
}

function mapOf(item: JsonValue): JsonObject {
  if (isJsonObject(item)) return item;
  throw failure(badArgument("map[string]interface {}", item));
}

/** Says what to throw for an item without its merge key. */
function required(item: JsonValue, mergeKey: string): StatusError {
  if (!isJsonObject(item)) return failure(badArgument("map[string]interface {}", item));
  return failure(`map: ${formatGoValue(item)} does not contain declared merge key: ${mergeKey}`);
}

function badArgument(expected: string, actual: JsonValue): string {
  return `expected a ${expected}, but received a ${goTypeOf(actual)}`;
}

function badPatchType(directive: JsonValue, patch: JsonObject): string {
  return `unknown patch type: ${formatGoValue(directive)} in map: ${formatGoValue(patch)}`;
}

/** Upstream answers 500 for patches that it can make nothing of. */
function failure(message: string): StatusError {
  return statusError(500, "", message);
}
