import { JsonFloat, type JsonValue, setOwn } from "@binnacle/base";
import { normalizeMicroTime, normalizeTime, TimeParseError } from "../meta/time.ts";
import { QuantityError } from "../quantity/parse-quantity.ts";
import { canonicalizeQuantity } from "../quantity/quantity.ts";
import type { Field, ObjectSchema, ScalarSchema, Schema } from "../schema/schema.ts";

/** The value of a body that does not fit its type. The message is what Go's decoder says. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

export interface DecodedObject<T> {
  /** A new object in the form Go would encode: fields in struct order, empty values as the schema says. */
  readonly value: T;
  /** `unknown field "spec.foo"` for every field the schema does not know, in the order they were met; at most 100. */
  readonly unknown: readonly string[];
}

/**
 * Reads parsed JSON as the given type, as Go's JSON decoder reads it into a typed struct: unknown fields are dropped
 * and reported, null counts as missing, quantities and times get their canonical form, and a value of the wrong type
 * throws {@link DecodeError}. Neither the input nor anything in it is changed; `any` values are shared with it.
 *
 * Source: sigs.k8s.io/json (the strict, case-sensitive fork of encoding/json that v1.36 decodes with).
 */
export function decodeObject<T = Record<string, unknown>>(
  schema: ObjectSchema,
  json: JsonValue,
): DecodedObject<T> {
  const quick = new Decoder(false);
  const value = quick.root(schema, json);
  if (!quick.hasFindings) return { value: value as T, unknown: [] }; // The schema describes T.
  // Something is to be said about some path; read once more, this time keeping track of where we are.
  const careful = new Decoder(true);
  const again = careful.root(schema, json);
  if (careful.firstError !== undefined) throw new DecodeError(careful.firstError);
  return { value: again as T, unknown: careful.unknown };
}

/** Source: sigs.k8s.io/json internal/golang/encoding/json/kubernetes_patch.go. */
const MAX_UNKNOWN = 100;

const MIN_INT32 = -(2 ** 31);
const MAX_INT32 = 2 ** 31 - 1;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What decoding needs of a schema, computed once. */
interface Plan {
  readonly fields: ReadonlyMap<string, PlannedField>;
  /** Fields that are written even when missing. */
  readonly always: readonly PlannedField[];
}

interface PlannedField {
  readonly name: string;
  readonly index: number;
  readonly field: Field;
}

const plans = new WeakMap<ObjectSchema, Plan>(); // A cache: a plan depends on its schema alone.

function planOf(schema: ObjectSchema): Plan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const fields = new Map<string, PlannedField>();
  for (const field of schema.fields.values()) {
    fields.set(field.name, { name: field.name, index: fields.size, field });
  }
  const plan: Plan = { fields, always: [...fields.values()].filter(({ field }) => field.omit === "never") };
  plans.set(schema, plan);
  return plan;
}

type JsonObject = { [key: string]: JsonValue };

class Decoder {
  /** Something must be reported: an unknown field or an error. */
  hasFindings = false;
  firstError: string | undefined;
  readonly unknown: string[] = [];
  readonly #isCareful: boolean;
  /** Names and indexes from the root; kept only when careful. */
  readonly #path: (string | number)[] = [];
  /** The Go name of the struct whose field is being read. */
  #struct = "";
  /** Inside a value that upstream reads with the plain decoder, which reports nothing. */
  #silent = 0;

  constructor(isCareful: boolean) {
    this.#isCareful = isCareful;
  }

  root(schema: ObjectSchema, json: JsonValue): unknown {
    try {
      return this.#value(schema, json) ?? this.#object(schema, {});
    } catch (error) {
      if (
        !(error instanceof QuantityError || error instanceof TimeParseError || error instanceof DecodeError)
      ) {
        throw error;
      }
      // Errors of values that read themselves end decoding at once and win over what was found before.
      this.hasFindings = true;
      this.firstError = error.message;
      return undefined;
    }
  }

  /** The decoded value; undefined when it is null or of the wrong type. */
  #value(schema: Schema, json: JsonValue): unknown {
    if (json === null) return undefined;
    switch (schema.type) {
      case "object":
        if (!isJsonObject(json)) return this.#wrongType(schema, json);
        return this.#object(schema, json);
      case "list":
        if (!Array.isArray(json)) return this.#wrongType(schema, json);
        return this.#list(schema.items, json);
      case "map":
        if (!isJsonObject(json)) return this.#wrongType(schema, json);
        return this.#map(schema.values, json);
      case "string":
        return typeof json === "string" ? json : this.#wrongType(schema, json);
      case "boolean":
        return typeof json === "boolean" ? json : this.#wrongType(schema, json);
      case "integer":
        return this.#integer(schema, json);
      case "number":
        if (typeof json === "number") return json;
        if (json instanceof JsonFloat) return json.value;
        return typeof json === "bigint" ? Number(json) : this.#wrongType(schema, json);
      case "bytes":
        return this.#bytes(schema, json);
      case "quantity":
        return canonicalizeQuantity(quantityText(json));
      case "time":
        return normalizeTime(ownText(json)) ?? undefined;
      case "microTime":
        return normalizeMicroTime(ownText(json)) ?? undefined;
      case "intOrString":
        return intOrString(json);
      case "duration":
        return ownText(json);
      case "any":
        return schema.structOr === undefined ? json : this.#structOr(schema.structOr, json);
      case "fieldsV1":
        return json;
    }
  }

  #object(schema: ObjectSchema, json: JsonObject): JsonObject {
    const plan = planOf(schema);
    const outer = this.#struct;
    const out: JsonObject = {};
    let last = -1;
    let isOrdered = true;
    for (const key in json) {
      const planned = plan.fields.get(key);
      if (planned === undefined) {
        if (schema.preserveUnknownFields) setOwn(out, key, json[key]);
        else this.#foundUnknown(key);
        continue;
      }
      if (this.#isCareful) {
        this.#struct = schema.goName ?? "";
        this.#path.push(key);
      }
      const value = this.#field(planned.field, json[key]!);
      if (this.#isCareful) this.#path.pop();
      if (value === undefined) continue;
      setOwn(out, key, value);
      if (planned.index < last) isOrdered = false;
      last = planned.index;
    }
    this.#struct = outer;
    for (const { name, index, field } of plan.always) {
      if (Object.hasOwn(out, name)) continue;
      out[name] = this.#missing(field);
      if (index < last) isOrdered = false;
      last = index;
    }
    return isOrdered ? out : inOrder(plan, out);
  }

  /** Undefined when the field is left out. */
  #field(field: Field, json: JsonValue): unknown {
    const value = this.#value(field.schema, json);
    if (value === undefined) return undefined;
    if (field.omit === "zero" && isZero(value)) return undefined;
    // What Go stores as an empty list or map comes back as a nil one.
    if (field.omit === "never" && isEmptyCollection(field.schema, value)) return null;
    return value;
  }

  #missing(field: Field): JsonValue {
    return field.missingIsNull ? null : this.#zero(field.schema);
  }

  #zero(schema: Schema): JsonValue {
    switch (schema.type) {
      case "object":
        return this.#object(schema, {});
      case "string":
      case "duration":
        return "";
      case "boolean":
        return false;
      case "integer":
      case "number":
      case "intOrString":
        return 0;
      case "quantity":
        return "0";
      default:
        return null;
    }
  }

  #list(items: Schema, json: JsonValue[]): JsonValue[] {
    const out = new Array<JsonValue>(json.length);
    for (let i = 0; i < json.length; i++) {
      if (this.#isCareful) this.#path.push(i);
      const value = this.#value(items, json[i]!) ?? this.#zero(items);
      out[i] = value as JsonValue; // Decoding yields JSON.
      if (this.#isCareful) this.#path.pop();
    }
    return out;
  }

  #map(values: Schema, json: JsonObject): JsonObject {
    const out: JsonObject = {};
    for (const key in json) {
      if (this.#isCareful) this.#path.push(`\0${key}`);
      let value = this.#value(values, json[key]!) ?? this.#zero(values);
      if (value === null && values.type === "bytes") value = "";
      setOwn(out, key, value);
      if (this.#isCareful) this.#path.pop();
    }
    return out;
  }

  #integer(schema: ScalarSchema, json: JsonValue): unknown {
    if (typeof json === "number" && Number.isInteger(json)) {
      if (schema.format !== "int32" || (json >= MIN_INT32 && json <= MAX_INT32)) return json;
    } else if (
      typeof json === "bigint" &&
      schema.format !== "int32" &&
      json >= MIN_INT64 &&
      json <= MAX_INT64
    ) {
      return json;
    }
    return this.#wrongType(schema, json);
  }

  #bytes(schema: ScalarSchema, json: JsonValue): unknown {
    if (typeof json !== "string") return this.#wrongType(schema, json);
    if (BASE64.test(json)) return canonicalBase64(json);
    const clean = json.replace(/[\r\n]/g, "");
    if (BASE64.test(clean)) return canonicalBase64(clean);
    return this.#fail(`illegal base64 data at input byte ${firstBadBase64(json)}`);
  }

  #structOr({ struct, or }: NonNullable<ScalarSchema["structOr"]>, json: JsonValue): unknown {
    this.#silent++;
    try {
      if (isJsonObject(json)) return this.#object(struct, json);
      if (or === "list" && Array.isArray(json)) return this.#list(struct, json);
      if (or === "boolean" && typeof json === "boolean") return json;
      if (or === "strings" && Array.isArray(json)) return this.#list({ type: "string" }, json);
    } finally {
      this.#silent--;
    }
    throw new DecodeError(OR_MISMATCH[or]);
  }

  #foundUnknown(key: string): void {
    if (this.#silent > 0) return;
    this.hasFindings = true;
    if (!this.#isCareful || this.unknown.length >= MAX_UNKNOWN) return;
    const message = `unknown field "${pathText([...this.#path, key])}"`;
    if (!this.unknown.includes(message)) this.unknown.push(message);
  }

  #wrongType(schema: Schema, json: JsonValue): undefined {
    if (this.#struct === "" && this.#path.length === 0) {
      return this.#fail(
        `json: cannot unmarshal ${kindOf(json, schema)} into Go value of type ${goType(schema)}`,
      );
    }
    const fields = this.#path.filter((part) => typeof part === "string" && !part.startsWith("\0"));
    const where = `${this.#struct}.${fields.join(".")}`;
    const what = kindOf(json, schema);
    return this.#fail(
      `json: cannot unmarshal ${what} into Go struct field ${where} of type ${goType(schema)}`,
    );
  }

  #fail(message: string): undefined {
    this.hasFindings = true;
    this.firstError ??= message;
  }
}

/** Source: apiextensions v1 marshal.go. */
const OR_MISMATCH = {
  list: "json: cannot unmarshal into Go value of type v1.JSONSchemaPropsOrArray",
  boolean: "boolean or JSON schema expected",
  strings: "json: cannot unmarshal into Go value of type v1.JSONSchemaPropsOrStringArray",
} as const;

function isJsonObject(json: JsonValue): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof JsonFloat);
}

/** Only plain JSON arrives here, so an object without keys is an empty map or struct. */
function isZero(value: unknown): boolean {
  if (value === "" || value === 0 || value === false) return true;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

function isEmptyCollection(schema: Schema, value: unknown): boolean {
  if (schema.type === "list" || schema.type === "map") return isZero(value);
  return schema.type === "bytes" && value === "";
}

function inOrder(plan: Plan, object: JsonObject): JsonObject {
  const out: JsonObject = {};
  let left = 0;
  for (const _ in object) left++;
  for (const name of plan.fields.keys()) {
    const value = object[name];
    if (value === undefined || !Object.hasOwn(object, name)) continue;
    out[name] = value;
    if (--left === 0) return out;
  }
  for (const key in object) if (!Object.hasOwn(out, key)) setOwn(out, key, object[key]);
  return out;
}

/** The text of a value that reads itself from raw JSON. */
function quantityText(json: JsonValue): string {
  if (typeof json === "string") return json.trim();
  if (json instanceof JsonFloat) return json.literal;
  if (typeof json === "number" || typeof json === "bigint") return String(json);
  return "\0"; // Any other raw JSON text has the wrong form, too.
}

function ownText(json: JsonValue): string {
  if (typeof json === "string") return json;
  throw new DecodeError(`json: cannot unmarshal ${kindOf(json)} into Go value of type string`);
}

function intOrString(json: JsonValue): number | string {
  if (typeof json === "string") return json;
  if (typeof json === "number" && Number.isInteger(json) && json >= MIN_INT32 && json <= MAX_INT32)
    return json;
  const int32: ScalarSchema = { type: "integer", format: "int32" };
  throw new DecodeError(`json: cannot unmarshal ${kindOf(json, int32)} into Go value of type int32`);
}

/** What Go calls a JSON value; a number is shown when the target is a number that cannot hold it. */
function kindOf(json: JsonValue, target?: Schema): string {
  if (Array.isArray(json)) return "array";
  if (typeof json === "string") return "string";
  if (typeof json === "boolean") return "bool";
  if (typeof json === "number" || typeof json === "bigint" || json instanceof JsonFloat) {
    const literal = json instanceof JsonFloat ? json.literal : String(json);
    return target?.type === "integer" || target?.type === "number" ? `number ${literal}` : "number";
  }
  return "object";
}

function goType(schema: Schema): string {
  switch (schema.type) {
    case "object":
      return `${schema.goPackage ?? ""}.${schema.goName ?? ""}`;
    case "list":
      return `[]${goType(schema.items)}`;
    case "map":
      return `map[string]${goType(schema.values)}`;
    case "string":
    case "duration":
      return "string";
    case "boolean":
      return "bool";
    case "integer":
      return schema.format ?? "int64";
    case "number":
      return "float64";
    case "bytes":
      return "[]uint8";
    case "quantity":
      return "resource.Quantity";
    case "time":
      return "v1.Time";
    case "microTime":
      return "v1.MicroTime";
    case "intOrString":
      return "intstr.IntOrString";
    case "any":
      return "runtime.RawExtension";
    case "fieldsV1":
      return "v1.FieldsV1";
  }
}

function pathText(path: readonly (string | number)[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else {
      const key = part.startsWith("\0") ? part.slice(1) : part;
      text += text === "" ? key : `.${key}`;
    }
  }
  return text;
}

/** The unused bits of the last character are zero in what an encoder writes. */
function canonicalBase64(text: string): string {
  return text.endsWith("=") ? Buffer.from(text, "base64").toString("base64") : text;
}

/** Source: Go encoding/base64, CorruptInputError: the offset of the first byte that cannot be there. */
function firstBadBase64(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === "\n" || character === "\r") continue;
    if (/[A-Za-z0-9+/]/.test(character)) {
      count++;
      continue;
    }
    if (character !== "=" || count % 4 < 2) return i;
    const tail = text.slice(i + 1).replace(/[\r\n]/g, "");
    if (count % 4 === 2 && !tail.startsWith("=")) return tail === "" ? text.length : i;
    const padding = count % 4 === 2 ? 2 : 1;
    return i + padding;
  }
  return text.length - (count % 4);
}
