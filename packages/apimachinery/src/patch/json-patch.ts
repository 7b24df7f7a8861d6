import { cloneJson, JsonFloat, type JsonValue, jsonEquals, setOwn, stringifyJson } from "@binnacle/base";
import { badRequest, type StatusError, statusError } from "../errors/status-error.ts";
import { isJsonObject, type JsonObject, kindName } from "./json-object.ts";

/** Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/patch.go, maxJSONPatchOperations. */
const MAX_OPERATIONS = 10_000;
/** Of everything that is copied, as JSON. Source: kubernetes v1.36 apiserver/pkg/server/config.go, JSONPatchMaxCopyBytes. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/**
 * The document after a JSON patch (RFC 6902). Neither input is changed; unpatched parts are shared.
 *
 * Throws 400 for what is no patch, 413 for more than 10,000 operations, and 422 without a reason when an operation
 * does not apply or more than 3 MiB are copied. Indexes may be negative and count from the end; only `replace` and `test` take the whole document.
 *
 * Source: gopkg.in/evanphx/json-patch.v4, as kubernetes v1.36 apiserver/pkg/endpoints/handlers/patch.go calls it.
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  const operations = readOperations(patch);
  if (operations.length > MAX_OPERATIONS) {
    throw statusError(
      413,
      "RequestEntityTooLarge",
      `Request entity is too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`,
    );
  }
  const patched = new PatchedDocument(document);
  for (const operation of operations) {
    if (!apply(patched, operation)) throw refused();
  }
  return patched.root;
}

function readOperations(patch: JsonValue): readonly JsonObject[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw cannotDecode(patch, "jsonpatch.Patch");
  return patch.map((operation) => {
    if (operation === null) return {};
    if (!isJsonObject(operation)) throw cannotDecode(operation, "jsonpatch.Operation");
    return operation;
  });
}

function cannotDecode(value: JsonValue, type: string): StatusError {
  return badRequest(
    `error decoding patch: json: cannot unmarshal ${kindName(value)} into Go value of type ${type}`,
  );
}

/** The server does not tell which operation failed. Source: apimachinery/pkg/api/errors, NewGenericServerResponse. */
function refused(): StatusError {
  return statusError(422, "Invalid", "the server rejected our request due to an error in our request", {});
}

/** False when the operation does not apply. */
function apply(document: PatchedDocument, operation: JsonObject): boolean {
  const path = pathOf(operation, "path");
  if (path === undefined) return false;
  const value = Object.hasOwn(operation, "value") ? operation["value"]! : null;
  switch (operation["op"]) {
    case "add":
      return document.add(path, value);
    case "remove":
      return document.remove(path);
    case "replace":
      return document.replace(path, value);
    case "test": {
      const current = document.get(path);
      return current === undefined ? value === null : jsonEquals(current, value);
    }
    case "move": {
      const from = pathOf(operation, "from");
      if (from === undefined) return false;
      const moved = document.get(from);
      return moved !== undefined && document.remove(from) && document.add(path, moved);
    }
    case "copy": {
      const from = pathOf(operation, "from");
      if (from === undefined) return false;
      const copied = document.get(from);
      return copied !== undefined && document.mayCopy(copied) && document.add(path, cloneJson(copied));
    }
    default:
      return false;
  }
}

/** The decoded parts of a pointer; undefined when there is none or it does not start with a slash. */
function pathOf(operation: JsonObject, name: string): readonly string[] | undefined {
  const pointer = Object.hasOwn(operation, name) ? operation[name] : undefined;
  if (typeof pointer !== "string") return undefined;
  if (pointer === "") return [];
  const parts = pointer.split("/");
  // Upstream does not look at what stands before the first slash.
  return parts.length < 2 ? undefined : parts.slice(1).map((part) => part.replace(/~[01]/g, unescape));
}

function unescape(escaped: string): string {
  return escaped === "~1" ? "/" : "~";
}

/** A document that is copied along the paths that are written to, each container once. */
class PatchedDocument {
  root: JsonValue;
  /** Containers that are ours to change. */
  readonly #own = new Set<JsonValue>();
  #copiedBytes = 0;

  constructor(root: JsonValue) {
    this.root = root;
  }

  /** A few copies of what holds the earlier copies would fill the memory. */
  mayCopy(value: JsonValue): boolean {
    this.#copiedBytes += Buffer.byteLength(stringifyJson(value));
    return this.#copiedBytes <= MAX_COPIED_BYTES;
  }

  get(path: readonly string[]): JsonValue | undefined {
    let value: JsonValue | undefined = this.root;
    for (const part of path) {
      if (Array.isArray(value)) {
        const index = indexOf(part, value.length);
        value = index === undefined ? undefined : value[index];
      } else if (value !== undefined && isJsonObject(value)) {
        value = Object.hasOwn(value, part) ? value[part] : undefined;
      } else return undefined;
    }
    return value;
  }

  add(path: readonly string[], value: JsonValue): boolean {
    const found = this.#holder(path);
    if (found === undefined) return false;
    const { holder, key } = found;
    if (!Array.isArray(holder)) {
      setOwn(holder, key, value);
      return true;
    }
    // A negative index counts from behind the last item, so that -1 appends.
    const index = key === "-" ? holder.length : indexOf(key, holder.length + 1);
    if (index === undefined) return false;
    holder.splice(index, 0, value);
    return true;
  }

  remove(path: readonly string[]): boolean {
    const found = this.#holder(path);
    if (found === undefined) return false;
    const { holder, key } = found;
    if (!Array.isArray(holder)) return Object.hasOwn(holder, key) && delete holder[key];
    const index = indexOf(key, holder.length);
    if (index === undefined) return false;
    holder.splice(index, 1);
    return true;
  }

  replace(path: readonly string[], value: JsonValue): boolean {
    if (path.length === 0) {
      if (!Array.isArray(value) && !isJsonObject(value)) return false;
      this.root = value;
      return true;
    }
    const found = this.#holder(path);
    if (found === undefined) return false;
    const { holder, key } = found;
    if (!Array.isArray(holder)) {
      if (!Object.hasOwn(holder, key)) return false;
      setOwn(holder, key, value);
      return true;
    }
    const index = indexOf(key, holder.length);
    if (index === undefined) return false;
    holder[index] = value;
    return true;
  }

  /** The container of the last part, ready to be changed. */
  #holder(path: readonly string[]): { holder: JsonObject | JsonValue[]; key: string } | undefined {
    if (path.length === 0) return undefined;
    const key = path.at(-1)!;
    let holder = this.#copy(this.root);
    if (holder === undefined) return undefined;
    this.root = holder;
    for (const part of path.slice(0, -1)) {
      let child: JsonObject | JsonValue[] | undefined;
      if (Array.isArray(holder)) {
        const index = indexOf(part, holder.length);
        if (index === undefined) return undefined;
        child = this.#copy(holder[index]!);
        if (child === undefined) return undefined;
        holder[index] = child;
      } else {
        if (!Object.hasOwn(holder, part)) return undefined;
        child = this.#copy(holder[part]!);
        if (child === undefined) return undefined;
        setOwn(holder, part, child);
      }
      holder = child;
    }
    return { holder, key };
  }

  /** Undefined for what holds nothing. */
  #copy(value: JsonValue): JsonObject | JsonValue[] | undefined {
    if (typeof value !== "object" || value === null || value instanceof JsonFloat) return undefined;
    if (this.#own.has(value)) return value;
    let copy: JsonObject | JsonValue[];
    if (Array.isArray(value)) copy = [...value];
    else {
      copy = {};
      for (const key of Object.keys(value)) setOwn(copy, key, value[key]);
    }
    this.#own.add(copy);
    return copy;
  }
}

/** Go's Atoi, with negative numbers counting from the end; undefined when out of range. */
function indexOf(part: string, length: number): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(part)) return undefined;
  const number = Number(part);
  const index = number < 0 ? number + length : number;
  return index >= 0 && index < length ? index + 0 : undefined;
}
