import { type StatusError, statusError } from "@binnacle/apimachinery";

/** How an answer is written. */
export type MediaType = "application/json" | "application/yaml" | typeof PROTOBUF;

export const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** What the answer to a resource request looks like. */
export interface Representation {
  readonly mediaType: MediaType;
  /** The object itself, a Table, or only its metadata. */
  readonly as: "object" | "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  /** Of meta.k8s.io, for everything but `object`. */
  readonly version: string;
  readonly isPretty: boolean;
}

const MEDIA_TYPES: readonly MediaType[] = ["application/json", "application/yaml", PROTOBUF];
const PRODUCED = MEDIA_TYPES.join(", ");
const STREAMED = ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
const TRANSFORM_VERSIONS: ReadonlySet<string> = new Set(["v1", "v1beta1"]);

/**
 * Chooses the representation by the Accept header. Throws 406 when nothing fits.
 *
 * Source: go-restful's route selection, then kubernetes v1.36 apiserver/pkg/endpoints/handlers/negotiation/negotiate.go.
 */
export function negotiate(
  accept: string | undefined,
  options: { readonly isPretty: boolean; readonly offersStreams: boolean },
): Representation {
  const plain: Representation = {
    mediaType: "application/json",
    as: "object",
    version: "",
    isPretty: options.isPretty,
  };
  if (accept === undefined || accept === "" || accept === "*/*" || accept === "application/json")
    return plain;
  const clauses = parseAccept(accept);
  if (!clauses.some((clause) => clause.type === "*/*" || isMediaType(clause.type))) {
    const offered = options.offersStreams ? PRODUCED + STREAMED : PRODUCED;
    throw notAcceptableRoute(`406: Not Acceptable\n\nAvailable representations: ${offered}`);
  }
  for (const clause of clauses) {
    const mediaType = clause.type === "*/*" ? "application/json" : clause.type;
    if (!isMediaType(mediaType)) continue;
    const as = clause.parameters.get("as");
    const isPretty = options.isPretty || clause.parameters.get("pretty") === "1";
    if (as === undefined) return { ...plain, mediaType, isPretty };
    const version = clause.parameters.get("v") ?? "";
    if (clause.parameters.get("g") !== "meta.k8s.io" || !TRANSFORM_VERSIONS.has(version)) continue;
    if (as === "Table" || as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") {
      return { mediaType, as, version, isPretty };
    }
  }
  throw notAcceptable();
}

/** 406 with the types that any resource can be written in. */
export function notAcceptable(
  message = `only the following media types are accepted: ${PRODUCED}`,
): StatusError {
  return statusError(406, "NotAcceptable", message);
}

/** 415 with the types that a body may have. */
export function unsupportedMediaType(accepted: string = PRODUCED): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
  return statusError(415, "UnsupportedMediaType", message);
}

function notAcceptableRoute(message: string): StatusError {
  return statusError(406, "NotAcceptable", message, {});
}

interface AcceptClause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The clauses of an Accept header, most wanted first. */
export function parseAccept(accept: string): AcceptClause[] {
  const clauses = accept.split(",").map((text) => {
    const [type = "", ...rest] = text.split(";").map((part) => part.trim());
    const parameters = new Map<string, string>();
    for (const part of rest) {
      const [name = "", value = ""] = part.split("=", 2);
      parameters.set(name.trim(), value.trim().replace(/^"(.*)"$/, "$1"));
    }
    return { type, parameters, quality: Number(parameters.get("q") ?? "1") };
  });
  return clauses.sort((a, b) => b.quality - a.quality);
}

function isMediaType(type: string): type is MediaType {
  return (MEDIA_TYPES as readonly string[]).includes(type);
}
