import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  badRequest,
  DecodeError,
  decodeObject,
  invalid,
  invalidObject,
  type ObjectSchema,
  parseYaml,
  patchedText,
  restoreFailure,
  type StatusError,
  statusError,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import { JsonSyntaxError, type JsonValue, parseJson } from "@binnacle/base";
import { unsupportedMediaType } from "../negotiation/accept.ts";
import { objectIn } from "../negotiation/encode.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import { convertToHub, type ServedResource } from "../registry/resource-registry.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { keepEmptiedOwners, MAX_NESTING, reportStrict } from "../write-path/decode.ts";
import { setDefaults } from "../write-path/set-defaults.ts";
import { parseWriteOptions, type WriteOptions } from "../write-path/write-options.ts";
import { apply } from "./apply.ts";
import { negotiateFor } from "./get.ts";
import { checkPreconditions, ownedBy, updateStored } from "./update.ts";

/** How a patch is written. */
export type PatchType = "json" | "merge" | "strategic" | "apply";

const PATCH_TYPES: ReadonlyMap<string, PatchType> = new Map([
  ["application/json-patch+json", "json"],
  ["application/merge-patch+json", "merge"],
  ["application/strategic-merge-patch+json", "strategic"],
  ["application/apply-patch+yaml", "apply"],
]);

/** Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/patch.go, maxRetryWhenPatchConflicts. */
const MAX_TRIES = 5;

/** PATCH of an object or of its status. */
export async function patch(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  subresource: "" | "status",
): Promise<ApiResponse> {
  const representation = negotiateFor(request, false);
  const type = patchTypeOf(request, served);
  const options = parseWriteOptions(request, "PatchOptions", type === "apply");
  const body = await readPatch(request, type);
  await core.storage.refresh();
  if (type === "apply")
    return apply(core, request, served, { config: body, subresource, options, representation });
  return updateStored(core, request, served, {
    subresource,
    options,
    representation,
    tries: MAX_TRIES,
    candidate: (old) => {
      const current = objectIn(served, old);
      const patched = patchObject(request, served.schema, current, { type, body: body.value, options });
      const versioned = setDefaults(served, { ...patched, kind: served.kind, apiVersion: served.apiVersion });
      refuseRename(served, versioned, current);
      const hub = convertToHub(served, versioned);
      if (versioned.metadata.resourceVersion !== current.metadata.resourceVersion) {
        checkPreconditions(served, versioned, old);
      }
      return ownedBy(core, served, subresource, options, hub, old);
    },
  });
}

/** The patch type by the Content-Type. Throws 415 with the types that this resource takes. */
export function patchTypeOf(request: RequestContext, served: Pick<ServedResource, "schema">): PatchType {
  const header = request.headers.get("content-type") ?? "";
  const type = PATCH_TYPES.get(header.split(";")[0]!.trim());
  const isTyped = served.schema.goName !== undefined && served.schema.goName !== "";
  // A type that no resource takes does not even find a route.
  if (type === undefined) throw statusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  if (type === "strategic" && !isTyped) {
    const accepted = [...PATCH_TYPES.keys()].filter(
      (name) => isTyped || PATCH_TYPES.get(name) !== "strategic",
    );
    throw unsupportedMediaType([...accepted].join(", "));
  }
  return type;
}

/** The parsed patch, with the duplicate keys of its text. Throws 400. */
export async function readPatch(
  request: RequestContext,
  type: PatchType,
): Promise<{ value: JsonValue; duplicates: readonly string[] }> {
  const { body } = request;
  if (body.kind !== "bytes")
    return { value: (body.kind === "value" ? body.value : null) as JsonValue, duplicates: [] };
  const text = (await body.read()).toString("utf8");
  try {
    return type === "apply" ? parseYaml(text) : parseJson(text, { maxDepth: MAX_NESTING });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !(error instanceof DecodeError)) throw error;
    if (type === "apply") throw badRequest(`error decoding YAML: ${error.message}`);
    throw badRequest(`error decoding patch: ${error.message}`);
  }
}

/** The patched object, decoded anew so that it is private and normalized. */
export function patchObject(
  request: RequestContext,
  schema: ObjectSchema,
  current: UnstructuredObject,
  patch: { type: Exclude<PatchType, "apply">; body: JsonValue; options: WriteOptions },
): UnstructuredObject {
  const { type, body, options } = patch;
  const document = current as unknown as JsonValue; // Stored objects are JSON.
  const patched = applyPatch(type, document, body, schema);
  const refused = (why: string): StatusError => {
    const shown = type === "strategic" ? formatGo(body) : patchedText(document, patched);
    return invalidObject({ group: "", kind: "" }, "", [invalid("patch", shown, why)]);
  };
  let decoded: { value: UnstructuredObject; unknown: readonly string[] };
  try {
    decoded = decodeObject(schema, patched);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // Source: apiserver handlers/patch.go: strategic patches are put back into structs, the others are decoded.
    throw refused((type === "strategic" ? restoreFailure(schema, patched) : undefined) ?? error.message);
  }
  reportStrict(request, [], decoded.unknown, options, refused);
  keepEmptiedOwners(patched, decoded.value);
  return decoded.value;
}

function applyPatch(
  type: Exclude<PatchType, "apply">,
  current: JsonValue,
  body: JsonValue,
  schema: ObjectSchema,
): JsonValue {
  switch (type) {
    case "json":
      return applyJsonPatch(current, body);
    case "merge":
      return applyMergePatch(current, body);
    case "strategic":
      return applyStrategicMergePatch(current, body, schema);
  }
}

function refuseRename(
  served: ServedResource,
  versioned: UnstructuredObject,
  current: UnstructuredObject,
): void {
  const name = versioned.metadata.name ?? "";
  if (name === "") {
    throw badRequest(
      `the name of the object (${current.metadata.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== current.metadata.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${current.metadata.name})`,
    );
  }
  if (served.namespaced && (versioned.metadata.namespace ?? "") !== current.metadata.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** A JSON value as Go's %+v prints it: `map[a:1 b:[x y]]`. */
function formatGo(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(formatGo).join(" ")}]`;
  if (typeof value === "object" && !("literal" in value && value.constructor !== Object)) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, property]) => `${key}:${formatGo(property as JsonValue)}`).join(" ")}]`;
  }
  return String(value);
}
