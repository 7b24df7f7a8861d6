import {
  alreadyExists,
  badRequest,
  type KubeObject,
  methodNotSupported,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import type { Representation } from "../negotiation/accept.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import { convertFromHub, convertToHub, type ServedResource } from "../registry/resource-registry.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { decodeBody } from "../write-path/decode.ts";
import { trackUpdate } from "../write-path/managed-fields.ts";
import { toTime } from "../write-path/prepare.ts";
import { setDefaults } from "../write-path/set-defaults.ts";
import type { WriteContext } from "../write-path/write-context.ts";
import { namespaceMismatch, parseWriteOptions, type WriteOptions } from "../write-path/write-options.ts";
import { runWritePath, type WriteOutcome } from "../write-path/write-path.ts";
import { negotiateFor, respondTransformed, respondWith } from "./get.ts";

/** POST to a collection. */
export async function create(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
): Promise<ApiResponse> {
  if (served.hooks.answerRaw !== undefined) return served.hooks.answerRaw({ core, request, served });
  const representation = negotiateFor(request, false);
  const options = parseWriteOptions(request, "CreateOptions");
  const decoded = await decodeBody(core, request, expectedKind(served), options);
  const versioned = setDefaults(served, decoded);
  if (served.hooks.answer !== undefined)
    return answerVirtual(core, request, served, versioned, { options, representation });
  placeInNamespace(request, served, versioned);
  return createDecoded(core, request, served, versioned, { options, representation });
}

/** Creates an object that is decoded, defaulted and in its namespace; also where a PUT or apply creates. */
export async function createDecoded(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  versioned: UnstructuredObject,
  form: {
    options: WriteOptions;
    representation: Representation;
    managed?: UnstructuredObject["metadata"]["managedFields"];
  },
): Promise<ApiResponse> {
  const { options, representation } = form;
  recordOwner(core, served, versioned, options);
  const write = startCreate(core, request, served, versioned, options);
  const outcome = await runWritePath(write);
  return respondToCreate(core, request, served, write, outcome, representation);
}

function startCreate(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  versioned: UnstructuredObject,
  options: WriteOptions,
): WriteContext {
  return {
    core,
    request,
    served,
    options,
    operation: "CREATE",
    subresource: "",
    namespace: served.namespaced ? request.info.namespace : "",
    name: versioned.metadata.name ?? "",
    object: convertToHub(served, versioned),
    old: undefined,
    undo: undefined,
  };
}

/** Whoever creates an object owns what it sets, whether the object is stored or only answered. */
function recordOwner(
  core: ApiServerCore,
  served: ServedResource,
  versioned: UnstructuredObject,
  options: WriteOptions,
): void {
  const managedFields = trackUpdate({
    live: undefined,
    updated: versioned,
    schema: served.schema,
    manager: options.fieldManager,
    apiVersion: served.apiVersion,
    time: toTime(core.clock.now()),
    resetFields: served.definition.strategy.resetFields,
  });
  if (managedFields.length === 0) delete versioned.metadata.managedFields;
  else versioned.metadata.managedFields = managedFields;
}

function respondToCreate(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  write: WriteContext,
  outcome: WriteOutcome,
  representation: Representation,
): ApiResponse {
  switch (outcome.kind) {
    case "stored":
      return respondWith(core, request, served, outcome.entry, { status: 201, representation });
    case "deleted":
    case "dryRun": {
      const object = convertFromHub(served, write.object);
      return respondTransformed(
        core,
        request,
        served,
        { hub: write.object, object },
        { status: 201, representation },
      );
    }
    case "conflict":
      throw alreadyExists(served, write.name);
  }
}

/** The body's namespace must be the path's; an absent one is filled in. Throws 400. */
export function placeInNamespace(
  request: RequestContext,
  served: ServedResource,
  object: UnstructuredObject,
): void {
  const given = object.metadata.namespace ?? "";
  if (!served.namespaced) {
    if (given !== "") throw namespaceMismatch();
    delete object.metadata.namespace;
    return;
  }
  if (request.info.namespace === "") throw methodNotSupported(served, "create");
  if (given !== "" && given !== request.info.namespace) throw namespaceMismatch();
  object.metadata.namespace = request.info.namespace;
}

/** What a body sent to this resource must be. */
export function expectedKind(served: ServedResource): Parameters<typeof decodeBody>[2] {
  const { group, version, kind, schema, definition } = served;
  return { group, version, kind, schema, hubGroup: definition.group };
}

/** Reviews and other kinds that are answered at once and never stored. */
async function answerVirtual(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  object: UnstructuredObject,
  form: { options: WriteOptions; representation: Representation },
): Promise<ApiResponse> {
  const { answer } = served.hooks;
  if (answer === undefined) throw badRequest(`${served.kind} cannot be created`);
  if (served.namespaced) placeInNamespace(request, served, object);
  recordOwner(core, served, object, form.options);
  const result = await answer(
    { core, request, served, isDryRun: form.options.isDryRun },
    object as KubeObject & UnstructuredObject,
  );
  return respondTransformed(
    core,
    request,
    served,
    { hub: result, object: result },
    { status: 201, representation: form.representation },
  );
}
