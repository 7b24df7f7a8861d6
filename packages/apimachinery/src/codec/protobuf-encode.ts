import { BugError, stringifyJson } from "@binnacle/base";
import { timeToSeconds } from "../meta/time.ts";
import type { ObjectSchema, ScalarSchema, Schema } from "../schema/schema.ts";
import { PROTOBUF_MAGIC, type ProtobufTypeMeta } from "./protobuf.ts";
import { type ProtobufPlan, protobufPlan } from "./protobuf-plan.ts";
import { WIRE_BYTES, WIRE_FIXED64, WIRE_VARINT, WireWriter } from "./wire.ts";

/**
 * Writes an object of a built-in kind as `application/vnd.kubernetes.protobuf`, envelope included. The object must
 * have the form that decoding gives.
 */
export function encodeProtobuf(object: object, schema: ObjectSchema): Buffer {
  const { apiVersion = "", kind = "" } = object as { apiVersion?: string; kind?: string }; // Absent from types without kind.
  return encodeProtobufEnvelope({ apiVersion, kind }, encodeProtobufMessage(object, schema));
}

/** Puts a message into the envelope that says what it is. */
export function encodeProtobufEnvelope(typeMeta: ProtobufTypeMeta, message: Buffer): Buffer {
  const inner = new WireWriter();
  writeText(inner, 1, typeMeta.apiVersion);
  writeText(inner, 2, typeMeta.kind);
  const envelope = new WireWriter();
  envelope.tag(1, WIRE_BYTES);
  envelope.message(inner);
  envelope.tag(2, WIRE_BYTES);
  envelope.bytes(message);
  writeText(envelope, 3, "");
  writeText(envelope, 4, "");
  return Buffer.concat([PROTOBUF_MAGIC, envelope.finish()]);
}

/** A message out of fields that are strings or messages, in this order. */
export function encodeProtobufParts(parts: readonly { number: number; bytes: Buffer }[]): Buffer {
  const writer = new WireWriter();
  for (const { number, bytes } of parts) {
    writer.tag(number, WIRE_BYTES);
    writer.bytes(bytes);
  }
  return writer.finish();
}

/** Writes an object without envelope. */
export function encodeProtobufMessage(object: object, schema: ObjectSchema): Buffer {
  const writer = new WireWriter();
  writeMembers(writer, object, protobufPlan(schema));
  return writer.finish();
}

function writeMembers(writer: WireWriter, object: object, plan: ProtobufPlan): void {
  const values = object as Readonly<Record<string, unknown>>; // Read by name only.
  for (const { number, field, embedded } of plan.values()) {
    if (embedded !== undefined) {
      const inner = new WireWriter();
      writeMembers(inner, object, embedded);
      writer.tag(number, WIRE_BYTES);
      writer.message(inner);
      continue;
    }
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    if (value === undefined || value === null) continue;
    const { schema } = field;
    if (schema.type === "list" && !schema.protobufMessage) {
      for (const item of value as unknown[]) writeValue(writer, number, schema.items, item); // The schema says so.
    } else if (schema.type === "map") {
      for (const [key, entry] of Object.entries(value)) {
        const inner = new WireWriter();
        writeText(inner, 1, key);
        if (entry !== null && entry !== undefined) writeValue(inner, 2, schema.values, entry);
        writer.tag(number, WIRE_BYTES);
        writer.message(inner);
      }
    } else {
      writeValue(writer, number, schema, value);
    }
  }
}

function writeValue(writer: WireWriter, number: number, schema: Schema, value: unknown): void {
  switch (schema.type) {
    case "integer":
      writer.tag(number, WIRE_VARINT);
      writer.varint(value as number | bigint); // This and the casts below: the schema says so.
      return;
    case "boolean":
      writer.tag(number, WIRE_VARINT);
      writer.varint(value === true ? 1 : 0);
      return;
    case "number":
      writer.tag(number, WIRE_FIXED64);
      writer.double(value as number);
      return;
    case "string":
      writeText(writer, number, value as string);
      return;
    case "bytes":
      writer.tag(number, WIRE_BYTES);
      writer.bytes(Buffer.from(value as string, "base64"));
      return;
    default: {
      const inner = new WireWriter();
      writeInner(inner, schema, value);
      writer.tag(number, WIRE_BYTES);
      writer.message(inner);
    }
  }
}

function writeInner(inner: WireWriter, schema: Schema, value: unknown): void {
  switch (schema.type) {
    case "object":
      if (typeof value === "object" && value !== null) writeMembers(inner, value, protobufPlan(schema));
      return;
    case "list":
      for (const item of value as unknown[]) writeValue(inner, 1, schema.items, item);
      return;
    case "quantity":
      writeText(inner, 1, value as string);
      return;
    case "time":
    case "microTime": {
      const { seconds, nanos } = timeToSeconds(value as string);
      writeInteger(inner, 1, seconds);
      writeInteger(inner, 2, schema.type === "time" ? 0 : nanos);
      return;
    }
    case "intOrString":
      writeInteger(inner, 1, typeof value === "string" ? 1 : 0);
      writeInteger(inner, 2, typeof value === "number" ? value : 0);
      writeText(inner, 3, typeof value === "string" ? value : "");
      return;
    case "any":
      if (schema.structOr !== undefined) writeStructOr(inner, schema.structOr, value);
      else writeText(inner, 1, stringifyJson(value));
      return;
    case "fieldsV1":
      writeText(inner, 1, stringifyJson(value));
      return;
    default:
      throw new BugError(`no protobuf form of ${schema.type}`);
  }
}

function writeStructOr(
  inner: WireWriter,
  { struct, or }: NonNullable<ScalarSchema["structOr"]>,
  value: unknown,
): void {
  if (typeof value === "boolean") writeInteger(inner, 1, value ? 1 : 0);
  else if (Array.isArray(value)) {
    for (const item of value) writeValue(inner, 2, or === "strings" ? { type: "string" } : struct, item);
  } else {
    if (or === "boolean") writeInteger(inner, 1, 1);
    writeValue(inner, or === "boolean" ? 2 : 1, struct, value);
  }
}

function writeInteger(writer: WireWriter, number: number, value: number): void {
  writer.tag(number, WIRE_VARINT);
  writer.varint(value);
}

function writeText(writer: WireWriter, number: number, value: string): void {
  writer.tag(number, WIRE_BYTES);
  writer.bytes(Buffer.from(value, "utf8"));
}
