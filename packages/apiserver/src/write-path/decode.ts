import {
  badRequest,
  DecodeError,
  decodeObject,
  decodeProtobuf,
  formatApiVersion,
  type ObjectSchema,
  parseApiVersion,
  parseYaml,
  statusError,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import { JsonSyntaxError, type JsonValue, parseJson } from "@binnacle/base";
import { unsupportedMediaType } from "../negotiation/accept.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import { addWarning, type RequestContext } from "../request/request-context.ts";
import type { WriteOptions } from "./write-options.ts";

/** What a body must turn out to be. */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
  /** Further versions of the group that have the same form. */
  readonly otherVersions?: readonly string[];
  /** The group of the internal type, for messages. */
  readonly hubGroup: string;
}

/** Differs from upstream, whose limit is 10,000: every level here costs stack, and no real object comes near. */
export const MAX_NESTING = 1_000;

/** Body as it came: a JSON value with the duplicate keys of its text, or protobuf. */
export interface ParsedBody {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
  /** The start of the text, for messages. */
  readonly summary: string;
}

/** Reads a whole body as an object of the expected kind. Throws 400, 413 and 415 with upstream's words. */
export async function decodeBody(
  core: ApiServerCore,
  request: RequestContext,
  expected: ExpectedKind,
  options: Pick<WriteOptions, "fieldValidation">,
): Promise<UnstructuredObject> {
  const { body } = request;
  if (body.kind === "bytes") {
    const mediaType = mediaTypeOf(request);
    const bytes = await body.read();
    if (mediaType === "application/vnd.kubernetes.protobuf") return decodeProtobufBody(bytes, expected);
    return decodeParsed(core, request, parseBody(bytes, mediaType, expected.kind), expected, options);
  }
  if (body.kind === "none") {
    return decodeParsed(
      core,
      request,
      parseBody(Buffer.alloc(0), "application/json", expected.kind),
      expected,
      options,
    );
  }
  const { value } = body;
  const parsed: ParsedBody = { value: (value ?? null) as JsonValue, duplicates: [], summary: "" }; // A client's JSON value.
  return decodeParsed(core, request, parsed, expected, options);
}

type BodyType = "application/json" | "application/yaml" | "application/vnd.kubernetes.protobuf";

/** The Content-Type of a body; JSON when there is none. Throws 415. */
function mediaTypeOf(request: RequestContext): BodyType {
  const header = request.headers.get("content-type");
  if (header === undefined || header === "") return "application/json";
  const [type = "", ...parameters] = header.split(";").map((part) => part.trim());
  if (parameters.some((parameter) => !parameter.includes("="))) throw unsupportedMediaType();
  switch (type.toLowerCase()) {
    case "application/json":
    case "application/yaml":
    case "application/vnd.kubernetes.protobuf":
      return type.toLowerCase() as BodyType; // One of the three cases.
    default:
      throw unsupportedMediaType();
  }
}

/** Parses JSON or YAML text. Throws the 400 of a body whose kind cannot be told. */
export function parseBody(bytes: Buffer, mediaType: BodyType, kind: string): ParsedBody {
  const text = bytes.toString("utf8");
  const summary = summarize(text);
  const fail = (why: string): never => {
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summary})`);
  };
  let parsed: { value: JsonValue; duplicates: readonly string[] };
  try {
    parsed = mediaType === "application/yaml" ? parseYaml(text) : parseJson(text, { maxDepth: MAX_NESTING });
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      return fail(`couldn't get version/kind; json parse error: ${error.message}`);
    if (error instanceof DecodeError)
      return fail(`couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
  const shape = typeName(parsed.value);
  if (shape !== "object" && shape !== "null") {
    return fail(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${shape} into Go value of type ${TYPE_META}`,
    );
  }
  return { ...parsed, summary };
}

/** Go prints the anonymous struct that it reads the kind into. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Turns a parsed body into a normalized object of the expected kind, with the reports that were asked for. */
export function decodeParsed(
  core: ApiServerCore,
  request: RequestContext,
  parsed: ParsedBody,
  expected: ExpectedKind,
  options: Pick<WriteOptions, "fieldValidation">,
): UnstructuredObject {
  const value = (parsed.value ?? {}) as Record<string, JsonValue>; // An object or null, by parseBody or the client.
  const kind = typeof value["kind"] === "string" && value["kind"] !== "" ? value["kind"] : expected.kind;
  const apiVersion =
    typeof value["apiVersion"] === "string" && value["apiVersion"] !== ""
      ? value["apiVersion"]
      : formatApiVersion(expected);
  const handled = (why: string): Error => {
    const version = parseApiVersion(apiVersion)?.version ?? apiVersion;
    return badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected.kind}: ${why}`,
    );
  };
  const versions = [expected.version, ...(expected.otherVersions ?? [])];
  const accepted = versions.map((version) => formatApiVersion({ group: expected.group, version }));
  if (kind !== expected.kind || !accepted.includes(apiVersion)) {
    throw handled(whyOtherKind(core, value, { kind, apiVersion }, expected));
  }
  let decoded: { value: UnstructuredObject; unknown: readonly string[] };
  try {
    decoded = decodeObject(expected.schema, value);
  } catch (error) {
    if (error instanceof DecodeError) throw handled(error.message);
    throw error;
  }
  reportStrict(request, parsed.duplicates, decoded.unknown, options, (why) => handled(why));
  decoded.value.kind = expected.kind;
  decoded.value.apiVersion = formatApiVersion(expected);
  decoded.value.metadata ??= {};
  keepEmptiedOwners(value, decoded.value);
  return decoded.value;
}

/**
 * An empty list of managedFields asks to forget all owners; decoding drops empty lists, so it is put back.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/managedfields/internal/managedfieldsupdater.go, isResetManagedFields.
 */
export function keepEmptiedOwners(given: unknown, decoded: UnstructuredObject): void {
  const metadata =
    typeof given === "object" && given !== null ? (given as Record<string, unknown>)["metadata"] : undefined;
  if (typeof metadata !== "object" || metadata === null) return;
  const owners = (metadata as Record<string, unknown>)["managedFields"];
  if (Array.isArray(owners) && owners.length === 0) decoded.metadata.managedFields = [];
}

/** Fields that are unknown or given twice: refused, warned about or passed over, as the request says. */
export function reportStrict(
  request: RequestContext,
  duplicates: readonly string[],
  unknown: readonly string[],
  options: Pick<WriteOptions, "fieldValidation">,
  refuse: (why: string) => Error,
): void {
  if (options.fieldValidation === "Ignore" || (duplicates.length === 0 && unknown.length === 0)) return;
  const reports = [...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`), ...unknown];
  if (options.fieldValidation === "Strict") throw refuse(`strict decoding error: ${reports.join(", ")}`);
  for (const report of reports) addWarning(request, report);
}

/** A body of another kind: what is wrong with it as that kind comes first, then that it cannot be converted. */
function whyOtherKind(
  core: ApiServerCore,
  value: Record<string, JsonValue>,
  given: { kind: string; apiVersion: string },
  expected: ExpectedKind,
): string {
  const other = core.registry.findByKind(given.apiVersion, given.kind);
  const gv = parseApiVersion(given.apiVersion) ?? { group: "", version: given.apiVersion };
  if (other === undefined) {
    const shown = formatApiVersion(gv);
    return `no kind ${JSON.stringify(given.kind)} is registered for version ${JSON.stringify(shown)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  }
  try {
    decodeObject(other.schema, value);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  const internal = expected.hubGroup === "" ? "core" : expected.hubGroup.split(".")[0];
  return `converting (${gv.version}.${given.kind}) to (${internal}.${expected.kind}): unknown conversion`;
}

function decodeProtobufBody(bytes: Buffer, expected: ExpectedKind): UnstructuredObject {
  try {
    const { typeMeta, value } = decodeProtobuf(bytes, () => expected.schema);
    const kind = typeMeta.kind === "" ? expected.kind : typeMeta.kind;
    const apiVersion = typeMeta.apiVersion === "" ? formatApiVersion(expected) : typeMeta.apiVersion;
    if (kind !== expected.kind || apiVersion !== formatApiVersion(expected)) {
      const version = parseApiVersion(apiVersion)?.version ?? apiVersion;
      throw badRequest(
        `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected.kind}: the body is of another kind`,
      );
    }
    value.kind = kind;
    value.apiVersion = apiVersion;
    value.metadata ??= {};
    return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${error.message} (${summarizeBytes(bytes)})`,
    );
  }
}

/** 413 for a body over the limit. Source: apiserver/pkg/server/config.go, MaxRequestBodyBytes. */
export function bodyTooLarge(limitBytes: number): Error {
  return statusError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${limitBytes}`);
}

const SUMMARY_LENGTH = 30;

/** Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/rest.go, summarizeData. */
function summarize(text: string): string {
  if (text === "") return "<empty>";
  if (!text.startsWith("{")) return summarizeBytes(Buffer.from(text));
  return text.length > SUMMARY_LENGTH ? `${text.slice(0, SUMMARY_LENGTH)} ...` : text;
}

function summarizeBytes(bytes: Buffer): string {
  if (bytes.length === 0) return "<empty>";
  if (bytes.length > SUMMARY_LENGTH) return `${bytes.toString("hex", 0, SUMMARY_LENGTH)} ...`;
  return bytes.toString("hex");
}

function typeName(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "object":
      return "literal" in value && typeof value["literal"] === "string" && value.constructor !== Object
        ? "number"
        : "object";
    default:
      return "number";
  }
}
