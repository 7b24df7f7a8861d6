import {
  badRequest,
  DecodeError,
  decodeObject,
  notFound,
  statusError,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import type { JsonValue } from "@binnacle/base";
import type { Entry } from "@binnacle/storage";
import type { Representation } from "../negotiation/accept.ts";
import { objectIn } from "../negotiation/encode.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import { convertToHub, keyOf, type ServedResource } from "../registry/resource-registry.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { reportStrict } from "../write-path/decode.ts";
import { applyConfiguration } from "../write-path/managed-fields.ts";
import { toTime } from "../write-path/prepare.ts";
import { setDefaults } from "../write-path/set-defaults.ts";
import type { WriteContext } from "../write-path/write-context.ts";
import type { WriteOptions } from "../write-path/write-options.ts";
import { runWritePath } from "../write-path/write-path.ts";
import { placeInNamespace } from "./create.ts";
import { respondTransformed, respondWith } from "./get.ts";
import { checkPreconditions, updateStored } from "./update.ts";

/** Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/patch.go, maxRetryWhenPatchConflicts. */
const MAX_TRIES = 5;

/** Server-side apply: PATCH with a whole configuration, merged by who owns which field. */
export async function apply(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  plan: {
    config: { value: JsonValue; duplicates: readonly string[] };
    subresource: "" | "status";
    options: WriteOptions;
    representation: Representation;
  },
): Promise<ApiResponse> {
  const { subresource, options, representation } = plan;
  const config = checkConfig(request, served, plan.config, options);
  const key = keyOf(served, request.info.namespace, request.info.name);
  for (;;) {
    if (core.storage.get(key) === undefined) {
      if (subresource !== "") throw notFound(served, request.info.name);
      const created = await createApplied(core, request, served, { config, options, representation });
      if (created !== undefined) return created;
      continue; // Somebody else created it: now it is an update.
    }
    return updateStored(core, request, served, {
      subresource,
      options,
      representation,
      tries: MAX_TRIES,
      candidate: (old) => {
        const versioned = merge(core, request, served, { config, options, subresource, live: old });
        const { resourceVersion } = config.metadata;
        if (resourceVersion !== undefined && resourceVersion !== "") {
          versioned.metadata.resourceVersion = resourceVersion;
          checkPreconditions(served, versioned, old);
        }
        return convertToHub(served, versioned);
      },
    });
  }
}

async function createApplied(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  form: { config: UnstructuredObject; options: WriteOptions; representation: Representation },
): Promise<ApiResponse | undefined> {
  const { config, options, representation } = form;
  if ((config.metadata.uid ?? "") !== "") {
    throw statusError(
      409,
      "Conflict",
      `uid mismatch: the provided object specified uid ${config.metadata.uid}, and no existing object was found`,
    );
  }
  const versioned = merge(core, request, served, { config, options, subresource: "", live: undefined });
  placeInNamespace(request, served, versioned);
  delete versioned.metadata.resourceVersion;
  const write: WriteContext = {
    core,
    request,
    served,
    options,
    operation: "CREATE",
    subresource: "",
    namespace: served.namespaced ? request.info.namespace : "",
    name: request.info.name,
    object: convertToHub(served, versioned),
    old: undefined,
    undo: undefined,
  };
  const outcome = await runWritePath(write);
  switch (outcome.kind) {
    case "conflict":
      return undefined;
    case "deleted":
    case "dryRun":
      return respondTransformed(
        core,
        request,
        served,
        { hub: write.object, object: write.object },
        { status: 201, representation },
      );
    case "stored":
      return respondWith(core, request, served, outcome.entry, { status: 201, representation });
  }
}

/** Merges the configuration into what is there; the result is decoded anew, defaulted and private. */
function merge(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  input: { config: UnstructuredObject; options: WriteOptions; subresource: string; live: Entry | undefined },
): UnstructuredObject {
  const { config, options, subresource, live } = input;
  const merged = applyConfiguration({
    live: live === undefined ? undefined : objectIn(served, live),
    config,
    schema: served.schema,
    manager: options.fieldManager,
    apiVersion: served.apiVersion,
    subresource,
    force: options.isForced,
    time: toTime(core.clock.now()),
    resetFields: served.definition.strategy.resetFields,
  });
  let decoded: { value: UnstructuredObject; unknown: readonly string[] };
  try {
    decoded = decodeObject(served.schema, merged as unknown as JsonValue); // Merging JSON gives JSON.
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error;
  }
  reportStrict(request, [], decoded.unknown, options, (why) => badRequest(why));
  return setDefaults(served, { ...decoded.value, kind: served.kind, apiVersion: served.apiVersion });
}

/** The body must be an object of this kind with the name of the path, and no managedFields. Throws 400. */
function checkConfig(
  request: RequestContext,
  served: ServedResource,
  parsed: { value: JsonValue; duplicates: readonly string[] },
  options: WriteOptions,
): UnstructuredObject {
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("error decoding YAML: the configuration must be an object");
  }
  reportStrict(request, parsed.duplicates, [], options, (why) => badRequest(`error decoding YAML: ${why}`));
  const fields = value as Record<string, JsonValue>; // An object, as just checked.
  const metadata = fields["metadata"];
  const config = {
    ...fields,
    metadata:
      typeof metadata === "object" && metadata !== null && !Array.isArray(metadata) ? { ...metadata } : {},
  } as unknown as UnstructuredObject;
  const gvk = `${String(fields["apiVersion"] ?? "")}, Kind=${String(fields["kind"] ?? "")}`;
  if (fields["kind"] === undefined || fields["apiVersion"] === undefined) {
    throw badRequest(`invalid object type: ${gvk === ", Kind=" ? "/, Kind=" : gvk}`);
  }
  if (fields["kind"] !== served.kind || fields["apiVersion"] !== served.apiVersion) {
    throw badRequest(
      `incorrect object type: the object (${gvk}) does not match the type of the URL (${served.apiVersion}, Kind=${served.kind})`,
    );
  }
  const given = config.metadata.name ?? "";
  if (given !== "" && given !== request.info.name) {
    throw badRequest(
      `the name of the object (${given}) does not match the name on the URL (${request.info.name})`,
    );
  }
  config.metadata.name = request.info.name;
  return config;
}
