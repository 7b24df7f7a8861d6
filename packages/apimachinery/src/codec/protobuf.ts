/**
 * `application/vnd.kubernetes.protobuf`: four magic bytes, then a `runtime.Unknown` whose `raw` is the object.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/runtime/serializer/protobuf/protobuf.go and the
 * generated.proto files.
 */

import { BugError, JsonSyntaxError, type JsonValue, parseJson, setOwn } from "@binnacle/base";
import type { UnstructuredObject } from "../meta/object-meta.ts";
import { formatSeconds, withMicros } from "../meta/time.ts";
import type { ObjectSchema, ScalarSchema, Schema } from "../schema/schema.ts";
import { DecodeError, decodeObject } from "./decode.ts";
import { type ProtobufPlan, protobufPlan } from "./protobuf-plan.ts";
import { WIRE_BYTES, WIRE_FIXED64, WIRE_VARINT, WireReader } from "./wire.ts";

/** `k8s\0` */
export const PROTOBUF_MAGIC: Buffer = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

export interface ProtobufTypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface DecodedProtobuf {
  readonly typeMeta: ProtobufTypeMeta;
  /** In the form {@link decodeObject} gives; apiVersion and kind are those of the envelope, where it has any. */
  readonly value: UnstructuredObject;
}

/** Messages inside messages: deeper than any API type goes. */
const MAX_DEPTH = 500;

/** Reads a body. `schemaOf` chooses the type by what the envelope says. Throws {@link DecodeError}. */
export function decodeProtobuf(
  bytes: Uint8Array,
  schemaOf: (typeMeta: ProtobufTypeMeta) => ObjectSchema,
): DecodedProtobuf {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (body.length < 4 || !body.subarray(0, 4).equals(PROTOBUF_MAGIC)) {
    throw new DecodeError(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  }
  const reader = new WireReader(body, 4);
  const typeMeta = { apiVersion: "", kind: "" };
  let raw: Buffer = Buffer.alloc(0);
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === WIRE_BYTES) readTypeMeta(reader.message(), typeMeta);
    else if (number === 2 && wire === WIRE_BYTES) raw = reader.bytes();
    else reader.skip(wire);
  }
  const value = decodeProtobufMessage(raw, schemaOf(typeMeta));
  if (typeMeta.kind !== "") value["kind"] = typeMeta.kind;
  if (typeMeta.apiVersion !== "") value["apiVersion"] = typeMeta.apiVersion;
  return { typeMeta, value: value as UnstructuredObject }; // Kinds have metadata; other types do not use it.
}

/** Reads a message without envelope. Throws {@link DecodeError}. */
export function decodeProtobufMessage(bytes: Uint8Array, schema: ObjectSchema): Record<string, unknown> {
  const json = readMessage(new WireReader(bytes), protobufPlan(schema), {}, 0);
  return decodeObject(schema, json).value;
}

function readTypeMeta(reader: WireReader, typeMeta: { apiVersion: string; kind: string }): void {
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === WIRE_BYTES) typeMeta.apiVersion = text(reader.bytes());
    else if (number === 2 && wire === WIRE_BYTES) typeMeta.kind = text(reader.bytes());
    else reader.skip(wire);
  }
}

type JsonObject = { [key: string]: JsonValue };

/** Fills `out` with what the message holds, as the JSON a client would have sent. */
function readMessage(reader: WireReader, plan: ProtobufPlan, out: JsonObject, depth: number): JsonObject {
  if (depth > MAX_DEPTH) throw new DecodeError("proto: exceeded max depth");
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag();
    const member = plan.get(number);
    if (member === undefined) reader.skip(wire);
    else if (member.embedded !== undefined) {
      expectWire(wire, WIRE_BYTES, number);
      readMessage(reader.message(), member.embedded, out, depth + 1);
    } else {
      const { name, schema } = member.field;
      if (schema.type === "list" && !schema.protobufMessage) {
        out[name] ??= [];
        const list = out[name] as JsonValue[]; // Set by the line above, now or before.
        readItems(reader, wire, schema.items, list, depth);
      } else if (schema.type === "map") {
        expectWire(wire, WIRE_BYTES, number);
        out[name] ??= {};
        const map = out[name] as JsonObject; // Set by the line above, now or before.
        readEntry(reader.message(), schema.values, map, depth);
      } else {
        setOwn(out, name, readValue(reader, wire, schema, depth));
      }
    }
  }
  return out;
}

function readItems(reader: WireReader, wire: number, items: Schema, list: JsonValue[], depth: number): void {
  const isNumeric = items.type === "integer" || items.type === "boolean" || items.type === "number";
  if (!isNumeric || wire !== WIRE_BYTES) {
    list.push(readValue(reader, wire, items, depth));
    return;
  }
  const packed = reader.message();
  const itemWire = items.type === "number" ? WIRE_FIXED64 : WIRE_VARINT;
  while (!packed.isAtEnd) list.push(readValue(packed, itemWire, items, depth));
}

function readEntry(reader: WireReader, values: Schema, map: JsonObject, depth: number): void {
  let key = "";
  let value: JsonValue | undefined;
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === WIRE_BYTES) key = text(reader.bytes());
    else if (number === 2) value = readValue(reader, wire, values, depth);
    else reader.skip(wire);
  }
  setOwn(map, key, value ?? emptyValue(values));
}

/** The value of a map entry that leaves its value out. */
function emptyValue(schema: Schema): JsonValue {
  switch (schema.type) {
    case "string":
    case "bytes":
      return "";
    case "object":
    case "map":
      return {};
    case "list":
      return [];
    default:
      return null;
  }
}

function readValue(reader: WireReader, wire: number, schema: Schema, depth: number): JsonValue {
  switch (schema.type) {
    case "integer":
      expectWire(wire, WIRE_VARINT);
      return schema.format === "int32" ? reader.int32() : reader.int64();
    case "boolean":
      expectWire(wire, WIRE_VARINT);
      return Number(reader.varint()) !== 0;
    case "number":
      expectWire(wire, WIRE_FIXED64);
      return reader.double();
    default:
      expectWire(wire, WIRE_BYTES);
  }
  switch (schema.type) {
    case "object":
      return readMessage(reader.message(), protobufPlan(schema), {}, depth + 1);
    case "list": {
      const list: JsonValue[] = [];
      const inner = reader.message();
      while (!inner.isAtEnd) {
        const tag = inner.tag();
        if (tag.number === 1) readItems(inner, tag.wire, schema.items, list, depth + 1);
        else inner.skip(tag.wire);
      }
      return list;
    }
    case "string":
      return text(reader.bytes());
    case "bytes":
      return reader.bytes().toString("base64");
    case "quantity":
      return textField(reader.message(), 1) || "0";
    case "time":
    case "microTime":
      return readTime(reader.message(), schema.type);
    case "intOrString":
      return readIntOrString(reader.message());
    case "any":
      return schema.structOr === undefined
        ? readRaw(reader.message())
        : readStructOr(reader.message(), schema.structOr, depth);
    case "fieldsV1":
      return readRaw(reader.message());
    default:
      throw new BugError(`no protobuf form of ${schema.type}`);
  }
}

function readTime(reader: WireReader, type: "time" | "microTime"): JsonValue {
  if (reader.isAtEnd) return null;
  let seconds = 0;
  let nanos = 0;
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag();
    if (number === 1 && wire === WIRE_VARINT) seconds = Number(reader.int64());
    else if (number === 2 && wire === WIRE_VARINT) nanos = reader.int32();
    else reader.skip(wire);
  }
  // Years 1 to 9999, the range of RFC 3339.
  if (seconds < -62_135_596_800 || seconds > 253_402_300_799)
    throw new DecodeError("proto: time out of range");
  return type === "time" ? formatSeconds(seconds) : withMicros(seconds, Math.floor(nanos / 1000) % 1_000_000);
}

function readIntOrString(reader: WireReader): JsonValue {
  let isString = false;
  let number = 0;
  let string = "";
  while (!reader.isAtEnd) {
    const tag = reader.tag();
    if (tag.number === 1 && tag.wire === WIRE_VARINT) isString = Number(reader.varint()) === 1;
    else if (tag.number === 2 && tag.wire === WIRE_VARINT) number = reader.int32();
    else if (tag.number === 3 && tag.wire === WIRE_BYTES) string = text(reader.bytes());
    else reader.skip(tag.wire);
  }
  return isString ? string : number;
}

/** RawExtension, JSON and FieldsV1 hold JSON text. */
function readRaw(reader: WireReader): JsonValue {
  const raw = textField(reader, 1);
  if (raw === "") return null;
  try {
    return parseJson(raw).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new DecodeError(error.message);
    throw error;
  }
}

function readStructOr(
  reader: WireReader,
  { struct, or }: NonNullable<ScalarSchema["structOr"]>,
  depth: number,
): JsonValue {
  // JSONSchemaPropsOrBool has the boolean first and the schema second, the others the other way round.
  const structNumber = or === "boolean" ? 2 : 1;
  let schema: JsonValue | undefined;
  let allows = false;
  const list: JsonValue[] = [];
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag();
    if (number === structNumber && wire === WIRE_BYTES) schema = readValue(reader, wire, struct, depth);
    else if (number === 1 && or === "boolean" && wire === WIRE_VARINT) allows = Number(reader.varint()) !== 0;
    else if (number === 2 && wire === WIRE_BYTES) {
      list.push(or === "strings" ? text(reader.bytes()) : readValue(reader, wire, struct, depth));
    } else reader.skip(wire);
  }
  if (schema !== undefined) return schema;
  return or === "boolean" ? allows : list;
}

function textField(reader: WireReader, wanted: number): string {
  let found = "";
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag();
    if (number === wanted && wire === WIRE_BYTES) found = text(reader.bytes());
    else reader.skip(wire);
  }
  return found;
}

function expectWire(actual: number, expected: number, number?: number): void {
  if (actual !== expected) {
    throw new DecodeError(
      `proto: wrong wireType = ${actual}${number === undefined ? "" : ` for field ${number}`}`,
    );
  }
}

function text(bytes: Buffer): string {
  return bytes.toString("utf8");
}
