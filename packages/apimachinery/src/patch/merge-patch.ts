import { type JsonValue, setOwn } from "@binnacle/base";
import { badRequest } from "../errors/status-error.ts";
import { isJsonObject, type JsonObject, kindName } from "./json-object.ts";

/**
 * The document after a merge patch (RFC 7386): null removes, objects merge, everything else replaces. Neither input is
 * changed; both share with the result. Throws 400 for a patch that is no object.
 *
 * Source: gopkg.in/evanphx/json-patch.v4 merge.go, as kubernetes v1.36 apiserver/pkg/endpoints/handlers/patch.go
 * calls it. Unlike the RFC it also removes nulls from objects inside lists that replace something.
 */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (patch === null) throw badRequest("Invalid JSON Patch");
  if (!isJsonObject(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${kindName(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return isJsonObject(document) ? mergeObjects(document, patch) : withoutNulls(patch);
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const key of Object.keys(document)) {
    if (!Object.hasOwn(patch, key)) setOwn(merged, key, document[key]);
    else if (patch[key] !== null) setOwn(merged, key, mergeValues(document[key]!, patch[key]!));
  }
  for (const key of Object.keys(patch)) {
    if (patch[key] !== null && !Object.hasOwn(document, key)) setOwn(merged, key, withoutNulls(patch[key]!));
  }
  return merged;
}

function mergeValues(value: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(value)) return withoutNulls(patch);
  return isJsonObject(patch) ? mergeObjects(value, patch) : patch;
}

/** The value without object entries that are null, at any depth. Items of lists that are null stay. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) if (value[key] !== null) setOwn(kept, key, withoutNulls(value[key]!));
  return kept;
}
