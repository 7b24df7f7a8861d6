import { type Status, StatusError, type StatusReason, statusError } from "@binnacle/apimachinery";
import { readJson } from "./read-json.ts";

/** The longest part of a foreign body that goes into a message. */
const MAX_QUOTED_CHARACTERS = 2048;

/** The error of an answer of 400 and above: its Status, or one made up from the code. */
export function responseError(
  code: number,
  body: string,
  retryAfterSeconds: number | undefined,
): StatusError {
  const status = readStatus(body);
  if (status !== undefined)
    return new StatusError({ ...status, code: status.code === 0 ? code : status.code });
  const [reason, message] = describe(code, body);
  return statusError(
    code,
    reason,
    message,
    retryAfterSeconds === undefined ? undefined : { retryAfterSeconds },
  );
}

function readStatus(body: string): Status | undefined {
  if (!body.includes('"Status"')) return undefined;
  try {
    const value = readJson(body);
    if (typeof value !== "object" || value === null) return undefined;
    const status = value as Partial<Status>; // Its kind is asked before anything is believed.
    return status.kind === "Status" ? { ...(status as Status), code: status.code ?? 0 } : undefined;
  } catch {
    return undefined; // Not JSON, so not a Status: the caller makes one up from the code.
  }
}

/** Source: kubernetes v1.36 apimachinery/pkg/api/errors/errors.go, NewGenericServerResponse. */
function describe(code: number, body: string): [StatusReason, string] {
  const text = body.trim().slice(0, MAX_QUOTED_CHARACTERS);
  const orElse = (message: string): string => (text === "" ? message : text);
  switch (code) {
    case 400:
      return ["BadRequest", orElse("the server rejected our request for an unknown reason")];
    case 401:
      return ["Unauthorized", "the server has asked for the client to provide credentials"];
    case 403:
      return ["Forbidden", orElse("the server does not allow access to the requested resource")];
    case 404:
      return ["NotFound", "the server could not find the requested resource"];
    case 405:
      return ["MethodNotAllowed", "the server does not allow this method on the requested resource"];
    case 406:
      return [
        "NotAcceptable",
        orElse("the server was unable to respond with a content type that the client supports"),
      ];
    case 409:
      return ["Conflict", "the server reported a conflict"];
    case 410:
      return ["Gone", "the server does not have the requested version any more"];
    case 413:
      return ["RequestEntityTooLarge", "the request entity is too large"];
    case 415:
      return ["UnsupportedMediaType", orElse("the server does not support the media type of the request")];
    case 422:
      return ["Invalid", "the server rejected our request due to an error in our request"];
    case 429:
      return [
        "TooManyRequests",
        "the server has received too many requests and has asked us to try again later",
      ];
    case 500:
      return [
        "InternalError",
        `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
      ];
    case 503:
      return ["ServiceUnavailable", "the server is currently unable to handle the request"];
    case 504:
      return [
        "Timeout",
        "the server was unable to return a response in the time allotted, but may still be processing the request",
      ];
    default:
      return ["", `the server responded with the status code ${code} but did not return more information`];
  }
}
