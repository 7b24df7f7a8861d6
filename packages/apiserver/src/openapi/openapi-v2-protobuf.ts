/**
 * The OpenAPI v2 document as the protobuf message that clients before 1.28 ask for and take nothing else.
 *
 * Source: github.com/google/gnostic-models openapiv2/OpenAPIv2.proto. Field numbers are those of its messages.
 */

/** What the messages below are made from: parts of a Swagger document. */
type Part = { readonly [key: string]: unknown };

const WIRE_VARINT = 0;
const WIRE_DOUBLE = 1;
const WIRE_BYTES = 2;

/** The media type that clients name, and the one without an `@` that newer clients name. */
export const OPENAPI_V2_PROTOBUF = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/;

/** Encodes a whole document. */
export function encodeOpenApiV2(document: Part): Buffer {
  const info = partOf(document["info"]);
  return message([
    text(1, document["swagger"]),
    nested(2, message([text(1, info["title"]), text(2, info["version"])])),
    nested(8, message(named(2, document["paths"], encodePath))),
    nested(9, message(named(1, document["definitions"], encodeSchema))),
  ]);
}

/** message PathItem. */
function encodePath(path: Part): Buffer {
  return message([
    optional(2, path["get"], encodeOperation),
    optional(3, path["put"], encodeOperation),
    optional(4, path["post"], encodeOperation),
    optional(5, path["delete"], encodeOperation),
    optional(6, path["options"], encodeOperation),
    optional(7, path["head"], encodeOperation),
    optional(8, path["patch"], encodeOperation),
    ...listOf(path["parameters"]).map((each) => nested(9, encodeParameter(partOf(each)))),
    ...extensions(10, path),
  ]);
}

/** message Operation. Responses are left out: no client reads them from this form. */
function encodeOperation(operation: Part): Buffer {
  return message([
    ...texts(1, operation["tags"]),
    text(3, operation["description"]),
    text(5, operation["operationId"]),
    ...texts(6, operation["produces"]),
    ...texts(7, operation["consumes"]),
    ...listOf(operation["parameters"]).map((each) => nested(8, encodeParameter(partOf(each)))),
    ...extensions(13, operation),
  ]);
}

/** message ParametersItem: a Parameter that is in the body, in the query or in the path. */
function encodeParameter(parameter: Part): Buffer {
  const place = parameter["in"];
  if (place === "body") {
    const body = message([
      text(2, parameter["name"]),
      text(3, place),
      bool(4, parameter["required"]),
      optional(5, parameter["schema"], encodeSchema),
    ]);
    return message([nested(1, message([nested(1, body)]))]);
  }
  // QueryParameterSubSchema and PathParameterSubSchema differ in the number of their type.
  const simple = message([
    bool(1, parameter["required"]),
    text(2, place),
    text(3, parameter["description"]),
    text(4, parameter["name"]),
    text(place === "query" ? 6 : 5, parameter["type"]),
  ]);
  const nonBody = message([nested(place === "query" ? 3 : 4, simple)]);
  return message([nested(1, message([nested(2, nonBody)]))]);
}

/** message Schema. */
function encodeSchema(schema: Part): Buffer {
  const extra = schema["additionalProperties"];
  return message([
    text(1, schema["$ref"]),
    text(2, schema["format"]),
    text(3, schema["title"]),
    text(4, schema["description"]),
    optionalAny(5, schema["default"]),
    double(7, schema["maximum"]),
    double(9, schema["minimum"]),
    integer(11, schema["maxLength"]),
    integer(12, schema["minLength"]),
    text(13, schema["pattern"]),
    integer(14, schema["maxItems"]),
    integer(15, schema["minItems"]),
    ...texts(19, schema["required"]),
    ...listOf(schema["enum"]).map((value) => nested(20, any(value))),
    extra === undefined ? EMPTY : nested(21, encodeAdditional(extra)),
    schema["type"] === undefined ? EMPTY : nested(22, message(texts(1, [schema["type"]].flat()))),
    schema["items"] === undefined
      ? EMPTY
      : nested(23, message([nested(1, encodeSchema(partOf(schema["items"])))])),
    ...listOf(schema["allOf"]).map((each) => nested(24, encodeSchema(partOf(each)))),
    schema["properties"] === undefined
      ? EMPTY
      : nested(25, message(named(1, schema["properties"], encodeSchema))),
    ...extensions(31, schema),
  ]);
}

/** message AdditionalPropertiesItem. */
function encodeAdditional(extra: unknown): Buffer {
  return typeof extra === "boolean"
    ? message([bool(2, extra)])
    : message([nested(1, encodeSchema(partOf(extra)))]);
}

/** message Any: a value as YAML, of which JSON is a part. */
function any(value: unknown): Buffer {
  return message([text(2, `${JSON.stringify(value)}\n`)]);
}

/** Every `x-…` property as a NamedAny. */
function extensions(field: number, part: Part): Buffer[] {
  return Object.entries(part)
    .filter(([key]) => key.startsWith("x-"))
    .map(([key, value]) => nested(field, message([text(1, key), nested(2, any(value))])));
}

/** A map as a list of pairs of a name and a value. */
function named(field: number, map: unknown, encode: (part: Part) => Buffer): Buffer[] {
  return Object.entries(partOf(map)).map(([name, value]) =>
    nested(field, message([text(1, name), nested(2, encode(partOf(value)))])),
  );
}

const EMPTY = Buffer.alloc(0);

function message(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts);
}

function nested(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([tag(field, WIRE_BYTES), varint(bytes.length), bytes]);
}

function optional(field: number, value: unknown, encode: (part: Part) => Buffer): Buffer {
  return value === undefined ? EMPTY : nested(field, encode(partOf(value)));
}

function optionalAny(field: number, value: unknown): Buffer {
  return value === undefined ? EMPTY : nested(field, any(value));
}

function text(field: number, value: unknown): Buffer {
  return typeof value === "string" && value !== "" ? nested(field, Buffer.from(value)) : EMPTY;
}

function texts(field: number, values: unknown): Buffer[] {
  return listOf(values).map((value) => nested(field, Buffer.from(String(value))));
}

function bool(field: number, value: unknown): Buffer {
  return value === true ? Buffer.concat([tag(field, WIRE_VARINT), varint(1)]) : EMPTY;
}

function integer(field: number, value: unknown): Buffer {
  return typeof value === "number" && value > 0
    ? Buffer.concat([tag(field, WIRE_VARINT), varint(value)])
    : EMPTY;
}

function double(field: number, value: unknown): Buffer {
  if (typeof value !== "number") return EMPTY;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([tag(field, WIRE_DOUBLE), bytes]);
}

function tag(field: number, wire: number): Buffer {
  return varint(field * 8 + wire);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function partOf(value: unknown): Part {
  return typeof value === "object" && value !== null ? (value as Part) : {}; // Our own documents hold nothing else.
}
