import { isNotFound, type UnstructuredObject } from "@binnacle/apimachinery";
import { objectIn } from "../negotiation/encode.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { ServedResource } from "../registry/resource-registry.ts";
import { objectOf } from "../registry/stored-object.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { deleteObject } from "./delete.ts";
import { readDeleteOptions } from "./delete-options.ts";
import { encodeObject, negotiateFor } from "./get.ts";
import { readPage } from "./list.ts";
import { parseListOptions, validateListOptions } from "./list-options.ts";
import { select } from "./selection.ts";

/** DELETE of a collection: every selected object, as if one by one. Answers with what was selected. */
export async function deleteCollection(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
): Promise<ApiResponse> {
  const representation = negotiateFor(request, true);
  const listOptions = parseListOptions(request.query, false);
  validateListOptions(listOptions, false);
  const selection = select(served, request.info, listOptions);
  const options = await readDeleteOptions(core, request);
  await core.storage.refresh();
  const page = await readPage(core, served, selection, listOptions, request.signal);
  const items: UnstructuredObject[] = [];
  for (const entry of page.entries) {
    const { namespace = "", name = "" } = objectOf(entry).metadata;
    try {
      await deleteObject(core, request, served, { namespace, name, options });
    } catch (error) {
      if (!isNotFound(error)) throw error; // Gone already is what was wanted.
    }
    items.push(withoutType(objectIn(served, entry)));
  }
  const list = {
    kind: served.listKind,
    apiVersion: served.apiVersion,
    metadata: { resourceVersion: String(page.revision) },
    items,
  };
  return encodeObject(core, 200, list, { ...representation, as: "object" });
}

function withoutType(object: UnstructuredObject): UnstructuredObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}
