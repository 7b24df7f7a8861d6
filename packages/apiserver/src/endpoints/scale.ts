import {
  badRequest,
  formatLabelSelector,
  invalid,
  invalidObject,
  labelSelectorFromObject,
  methodNotSupported,
  type ScaleMapping,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import { cloneJson } from "@binnacle/base";
import type { Entry } from "@binnacle/storage";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { ServedResource } from "../registry/resource-registry.ts";
import { objectOf } from "../registry/stored-object.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { decodeBody } from "../write-path/decode.ts";
import { trackUpdate } from "../write-path/managed-fields.ts";
import { toTime } from "../write-path/prepare.ts";
import { parseWriteOptions, type WriteOptions } from "../write-path/write-options.ts";
import { mustFind, negotiateFor, respondWithValue } from "./get.ts";
import { patchObject, patchTypeOf, readPatch } from "./patch.ts";
import { checkPreconditions, updateStored } from "./update.ts";

/** GET, PUT and PATCH of an object's scale: its replica numbers as an autoscaling/v1 Scale. */
export async function scale(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  mapping: ScaleMapping,
): Promise<ApiResponse> {
  await core.storage.refresh();
  switch (request.info.verb) {
    case "get":
      return respondWithValue(
        core,
        request,
        200,
        toScale(objectOf(mustFind(core, request, served)), mapping),
      );
    case "update": {
      const options = parseWriteOptions(request, "UpdateOptions");
      const given = await decodeBody(
        core,
        request,
        { ...SCALE, schema: core.schemas.scale, hubGroup: "autoscaling" },
        options,
      );
      checkScaleName(request, given);
      return store(core, request, served, { mapping, options, scaleOf: () => given });
    }
    case "patch": {
      const type = patchTypeOf(request, { schema: core.schemas.scale });
      const options = parseWriteOptions(request, "PatchOptions", type === "apply");
      const body = await readPatch(request, type);
      const patchType = type === "apply" ? "merge" : type;
      return store(core, request, served, {
        mapping,
        options,
        scaleOf: (old) =>
          patchObject(request, core.schemas.scale, toScale(objectOf(old), mapping), {
            type: patchType,
            body: body.value,
            options,
          }),
      });
    }
    default:
      throw methodNotSupported(served, request.info.verb);
  }
}

const SCALE = { group: "autoscaling", version: "v1", kind: "Scale" } as const;

function store(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  plan: { mapping: ScaleMapping; options: WriteOptions; scaleOf: (old: Entry) => UnstructuredObject },
): Promise<ApiResponse> {
  const { mapping, options } = plan;
  const representation = negotiateFor(request, false);
  return updateStored(core, request, served, {
    subresource: "scale",
    options,
    representation,
    tries: 5,
    candidate: (old) => {
      const wanted = plan.scaleOf(old);
      const replicas = Number((wanted["spec"] as { replicas?: number } | undefined)?.replicas ?? 0);
      if (replicas < 0) {
        const error = invalid("spec.replicas", replicas, "must be greater than or equal to 0");
        throw invalidObject({ group: "autoscaling", kind: "Scale" }, request.info.name, [error]);
      }
      const { resourceVersion = "" } = wanted.metadata;
      if (resourceVersion !== "") checkPreconditions(served, wanted, old);
      const current = objectOf(old);
      const object = cloneJson(current);
      writePath(object, mapping.specReplicasPath, replicas);
      const managedFields = trackUpdate({
        live: current,
        updated: object,
        schema: served.definition.schema,
        manager: options.fieldManager,
        apiVersion: served.apiVersion,
        subresource: "scale",
        time: toTime(core.clock.now()),
        resetFields: undefined,
      });
      if (managedFields.length > 0) object.metadata.managedFields = managedFields;
      return object;
    },
    respond: (_entry, object) => respondWithValue(core, request, 200, toScale(object, mapping)),
  });
}

/** The Scale of an object. Source: kubernetes v1.36 pkg/registry/apps/deployment/storage/storage.go, scaleFromDeployment. */
export function toScale(object: UnstructuredObject, mapping: ScaleMapping): UnstructuredObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata = withoutUndefined({ name, namespace, uid, resourceVersion, creationTimestamp });
  const specReplicas = Number(readPath(object, mapping.specReplicasPath) ?? 0);
  const status: Record<string, unknown> = {
    replicas: Number(readPath(object, mapping.statusReplicasPath) ?? 0),
  };
  const selector = selectorText(object, mapping);
  if (selector !== "") status["selector"] = selector;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata,
    spec: specReplicas === 0 ? {} : { replicas: specReplicas },
    status,
  };
}

function selectorText(object: UnstructuredObject, mapping: ScaleMapping): string {
  if (mapping.labelSelectorPath === undefined) return "";
  const value = readPath(object, mapping.labelSelectorPath);
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  const isSelector = "matchLabels" in value || "matchExpressions" in value;
  // A stored selector was validated; replication controllers have a plain map of labels instead.
  const selector = (isSelector ? value : { matchLabels: value }) as Parameters<
    typeof labelSelectorFromObject
  >[0];
  return formatLabelSelector(labelSelectorFromObject(selector));
}

function checkScaleName(request: RequestContext, given: UnstructuredObject): void {
  const { name } = request.info;
  if (given.metadata.name !== undefined && given.metadata.name !== name) {
    throw badRequest(
      `the name of the object (${given.metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  given.metadata.name = name;
}

function readPath(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const part of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function writePath(object: UnstructuredObject, path: string, value: unknown): void {
  const parts = path.split(".");
  let holder: Record<string, unknown> = object;
  for (const part of parts.slice(0, -1)) {
    holder[part] ??= {};
    holder = holder[part] as Record<string, unknown>; // The mapping's paths lead through objects.
  }
  holder[parts.at(-1)!] = value;
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never; // Filtered.
}
