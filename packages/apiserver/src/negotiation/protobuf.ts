import {
  encodeProtobufEnvelope,
  encodeProtobufMessage,
  encodeProtobufParts,
  type ObjectSchema,
  statusError,
} from "@binnacle/apimachinery";
import type { ApiServerCore } from "../registry/api-server-core.ts";

/**
 * A value of the API as `application/vnd.kubernetes.protobuf`; undefined for values that have a JSON form only. Throws
 * 406 for tables, which upstream cannot write like this.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/runtime/serializer/protobuf/protobuf.go.
 */
export function toProtobuf(core: ApiServerCore, value: unknown): Buffer | undefined {
  const { apiVersion = "", kind = "" } = value as { apiVersion?: string; kind?: string }; // Values of the API say what they are.
  const message = messageOf(core, apiVersion, kind, value as Listed);
  return message && encodeProtobufEnvelope({ apiVersion, kind }, message);
}

/**
 * One event of a watch, its length before it.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/framer/framer.go (big-endian length), meta/v1 WatchEvent.
 */
export function toProtobufFrame(core: ApiServerCore, type: string, object: unknown): Buffer {
  const bytes = toProtobuf(core, object);
  if (bytes === undefined) throw notMarshalable("object");
  const event = encodeProtobufParts([
    { number: 1, bytes: Buffer.from(type) },
    { number: 2, bytes: encodeProtobufParts([{ number: 1, bytes }]) },
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

interface Listed {
  readonly metadata?: object;
  readonly items?: readonly Listed[];
}

function messageOf(core: ApiServerCore, apiVersion: string, kind: string, value: Listed): Buffer | undefined {
  const { status, scale, objectMeta } = core.schemas;
  const isMeta = apiVersion.startsWith("meta.k8s.io/");
  if (isMeta && kind === "Table") throw notMarshalable("*v1.Table");
  if (isMeta && kind === "PartialObjectMetadata") return partialMetadata(objectMeta, value);
  if (isMeta && kind === "PartialObjectMetadataList")
    return listOf(core, value, (item) => partialMetadata(objectMeta, item));
  if (kind === "Status" && apiVersion === "v1") return encodeProtobufMessage(value, status);
  if (kind === "Scale" && apiVersion === "autoscaling/v1") return encodeProtobufMessage(value, scale);
  const served = core.registry.findByKind(apiVersion, kind);
  if (served !== undefined) return encodeProtobufMessage(value, served.schema);
  const ofItems = core.registry.findByKind(apiVersion, kind.replace(/List$/, ""));
  if (ofItems === undefined || ofItems.listKind !== kind) return undefined;
  return listOf(core, value, (item) => encodeProtobufMessage(item, ofItems.schema));
}

function partialMetadata(schema: ObjectSchema, { metadata = {} }: Listed): Buffer {
  return encodeProtobufParts([{ number: 1, bytes: encodeProtobufMessage(metadata, schema) }]);
}

/** Every list has its metadata as field 1 and its items as field 2. */
function listOf(
  core: ApiServerCore,
  { metadata = {}, items = [] }: Listed,
  toItem: (item: Listed) => Buffer,
): Buffer {
  return encodeProtobufParts([
    { number: 1, bytes: encodeProtobufMessage(metadata, core.schemas.listMeta) },
    ...items.map((item) => ({ number: 2, bytes: toItem(item) })),
  ]);
}

function notMarshalable(type: string): Error {
  return statusError(
    406,
    "NotAcceptable",
    `object ${type} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`,
  );
}
