import { notFound, type UnstructuredObject } from "@binnacle/apimachinery";
import { stringifyJson } from "@binnacle/base";
import type { Entry } from "@binnacle/storage";
import { negotiate, notAcceptable, PROTOBUF, type Representation } from "../negotiation/accept.ts";
import { bytesIn, objectIn } from "../negotiation/encode.ts";
import { toProtobuf } from "../negotiation/protobuf.ts";
import { parseIncludeObject, toPartialMetadata, toTable } from "../negotiation/table.ts";
import { toYaml } from "../negotiation/yaml.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import { keyOf, type ServedResource } from "../registry/resource-registry.ts";
import { objectOf } from "../registry/stored-object.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { isTrue } from "../request/request-info.ts";
import { parseResourceVersion } from "./list-options.ts";

/** GET of one object. */
export async function get(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
): Promise<ApiResponse> {
  const representation = negotiateFor(request, false);
  await core.storage.refresh();
  parseResourceVersion(request.query.get("resourceVersion") ?? "");
  const entry = mustFind(core, request, served);
  return respondWith(core, request, served, entry, { status: 200, representation });
}

/** The entry a request's path names, or 404. */
export function mustFind(core: ApiServerCore, request: RequestContext, served: ServedResource): Entry {
  const { namespace, name } = request.info;
  const entry = core.storage.get(keyOf(served, namespace, name));
  if (entry === undefined) throw notFound(served, name);
  return entry;
}

/** The representation of the answer to a request for one object or a list. */
export function negotiateFor(request: RequestContext, offersStreams: boolean): Representation {
  const isPretty = isTrue(request.query.get("pretty"));
  return negotiate(request.headers.get("accept"), { isPretty, offersStreams });
}

/** Answers with one stored object in the representation asked for. */
export function respondWith(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  entry: Entry,
  answer: { status: number; representation: Representation },
): ApiResponse {
  const { status, representation } = answer;
  if (representation.as === "object") {
    if (representation.mediaType === "application/json" && !representation.isPretty) {
      return {
        status,
        content: { kind: "lazy", value: () => objectIn(served, entry), bytes: () => bytesIn(served, entry) },
      };
    }
    return encodeObject(core, status, objectIn(served, entry), representation);
  }
  const object = objectIn(served, entry);
  return respondTransformed(core, request, served, { hub: objectOf(entry), object }, answer);
}

/** Answers with a value that no resource stores, such as a Status or a Scale, in the media type asked for. */
export function respondWithValue(
  core: ApiServerCore,
  request: RequestContext,
  status: number,
  value: unknown,
): ApiResponse {
  return encodeObject(core, status, value, { ...negotiateFor(request, false), as: "object" });
}

/** Answers with an object that is not stored (a dry run, a review) in the representation asked for. */
export function respondTransformed(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  item: { hub: UnstructuredObject; object: UnstructuredObject },
  answer: { status: number; representation: Representation },
): ApiResponse {
  const { status, representation } = answer;
  switch (representation.as) {
    case "object":
      return encodeObject(core, status, item.object, representation);
    case "PartialObjectMetadata":
      return encodeObject(
        core,
        status,
        toPartialMetadata(item.object, `meta.k8s.io/${representation.version}`),
        representation,
      );
    case "PartialObjectMetadataList":
      throw notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (*${goPackage(served)}.${served.kind})`,
      );
    case "Table": {
      const includeObject = parseIncludeObject(request.query.get("includeObject"));
      const { resourceVersion } = item.object.metadata;
      const table = toTable(served, [item], resourceVersion === undefined ? {} : { resourceVersion }, {
        version: representation.version,
        includeObject,
        nowMs: core.clock.now(),
      });
      return encodeObject(core, status, table, representation);
    }
  }
}

/** Encodes a value as JSON, YAML or protobuf; what has no protobuf form is JSON all the same. */
export function encodeObject(
  core: ApiServerCore,
  status: number,
  value: unknown,
  representation: Representation,
): ApiResponse {
  if (representation.mediaType === PROTOBUF) {
    const bytes = toProtobuf(core, value);
    if (bytes !== undefined) return { status, content: { kind: "raw", contentType: PROTOBUF, bytes } };
  }
  if (representation.mediaType === "application/yaml") {
    return {
      status,
      content: { kind: "raw", contentType: "application/yaml", bytes: Buffer.from(toYaml(value)) },
    };
  }
  if (representation.isPretty) {
    const text = `${JSON.stringify(JSON.parse(stringifyJson(value)), null, 2)}\n`;
    return { status, content: { kind: "object", value, bytes: Buffer.from(text) } };
  }
  return { status, content: { kind: "object", value } };
}

/** The internal package name that upstream prints, such as `core` or `apps`. */
export function goPackage(served: ServedResource): string {
  const group = served.definition.group;
  return group === "" ? "core" : (group.split(".")[0] ?? group);
}
