import {
  type FieldError,
  invalidObject,
  type KubeObject,
  type StrategyContext,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import { cloneJson } from "@binnacle/base";
import type { Entry } from "@binnacle/storage";
import { objectIn } from "../negotiation/encode.ts";
import { methodNotAllowed } from "../pipeline/dispatch.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { SubresourceContext, SubresourceHandler } from "../registry/resource-hooks.ts";
import { objectOf } from "../registry/stored-object.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { addWarning } from "../request/request-context.ts";
import { decodeBody } from "../write-path/decode.ts";
import { setDefaults } from "../write-path/set-defaults.ts";
import { parseWriteOptions } from "../write-path/write-options.ts";
import { expectedKind } from "./create.ts";
import { get, negotiateFor } from "./get.ts";
import { patchObject, patchTypeOf, readPatch } from "./patch.ts";
import { checkPreconditions, ownedBy, updateStored } from "./update.ts";

/** The rules of a subresource that takes and gives the whole object but lets only a part of it change. */
export interface ObjectSubresource<T extends KubeObject> {
  readonly name: string;
  /** Puts back what may not change here. */
  readonly prepareForUpdate: (updated: T, old: T, context: StrategyContext) => void;
  readonly validateUpdate: (updated: T, old: T) => FieldError[];
  readonly warnings?: (updated: T) => string[];
  /** Looks at a valid update beside the rest of the cluster; throws to refuse it. */
  readonly admit?: (core: ApiServerCore, updated: T, old: T) => void;
}

/** GET, PUT and PATCH of such a subresource. */
export function objectSubresource<T extends KubeObject>(
  rules: ObjectSubresource<T>,
  kind: SubresourceHandler["kind"],
): SubresourceHandler {
  return { verbs: ["get", "patch", "update"], kind, handle: (context) => handle(rules, context) };
}

async function handle<T extends KubeObject>(
  rules: ObjectSubresource<T>,
  { core, request, served }: SubresourceContext,
): Promise<ApiResponse> {
  const { verb } = request.info;
  if (verb === "get") return get(core, request, served);
  const representation = negotiateFor(request, false);
  const isPatch = verb === "patch";
  if (!isPatch && verb !== "update") throw methodNotAllowed();
  const type = isPatch ? patchTypeOf(request, served) : undefined;
  const options = parseWriteOptions(request, isPatch ? "PatchOptions" : "UpdateOptions", type === "apply");
  const wanted: (old: Entry) => UnstructuredObject = isPatch ? await patchSource() : await bodySource();
  await core.storage.refresh();
  return updateStored(core, request, served, {
    subresource: rules.name,
    options,
    representation,
    tries: 5,
    candidate(old) {
      const current = objectOf<T>(old);
      const object = wanted(old);
      if (
        (object.metadata.resourceVersion ?? "") !== "" &&
        object.metadata.resourceVersion !== current.metadata.resourceVersion
      ) {
        checkPreconditions(served, object, old);
      }
      const updated = object as unknown as T; // Decoded by the resource's schema.
      rules.prepareForUpdate(updated, current, { nowMs: core.clock.now(), user: request.user });
      const errors = rules.validateUpdate(updated, current);
      if (errors.length > 0) throw invalidObject(served.definition, request.info.name, errors);
      rules.admit?.(core, updated, current);
      for (const text of rules.warnings?.(updated) ?? []) addWarning(request, text);
      return ownedBy(core, served, rules.name, options, object, old);
    },
  });

  async function patchSource(): Promise<(old: Entry) => UnstructuredObject> {
    const body = await readPatch(request, type ?? "merge");
    const patchType = type === undefined || type === "apply" ? "merge" : type;
    return (old) => {
      const current = objectIn(served, old);
      const patched = patchObject(request, served.schema, current, {
        type: patchType,
        body: body.value,
        options,
      });
      return setDefaults(served, { ...patched, kind: served.kind, apiVersion: served.apiVersion });
    };
  }

  async function bodySource(): Promise<(old: Entry) => UnstructuredObject> {
    const decoded = await decodeBody(core, request, expectedKind(served), options);
    const object = setDefaults(served, decoded);
    object.metadata.namespace ??= request.info.namespace;
    return () => cloneJson(object);
  }
}
