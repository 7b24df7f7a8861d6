import { formatGroupResource, type GroupResource } from "../meta/group-version.ts";
import { type FieldError, formatFieldError } from "./field-error.ts";

/** Why a request failed, as data. Source: kubernetes v1.36 apimachinery/pkg/apis/meta/v1/types.go, Status. */
export interface Status {
  kind: "Status";
  apiVersion: "v1";
  metadata: { continue?: string; remainingItemCount?: number; resourceVersion?: string };
  status: "Success" | "Failure";
  message?: string;
  reason?: StatusReason;
  details?: StatusDetails;
  code: number;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export type StatusReason =
  | ""
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Invalid"
  | "ServerTimeout"
  | "Timeout"
  | "TooManyRequests"
  | "BadRequest"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "InternalError"
  | "Expired"
  | "ServiceUnavailable"
  | "StorageReadError";

const BRAND: unique symbol = Symbol.for("binnacle.StatusError") as never; // Registered: two copies of the package agree.

/** The one error that crosses the wire: the same class on server and client. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: Status;
  readonly [BRAND] = true;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? "unknown", options);
    this.status = status;
  }

  get code(): number {
    return this.status.code;
  }

  get reason(): StatusReason {
    return this.status.reason ?? "";
  }
}

/** Whether a caught value is a {@link StatusError}, from this or another copy of the package. */
export function isStatusError(error: unknown): error is StatusError {
  return typeof error === "object" && error !== null && (error as { [BRAND]?: unknown })[BRAND] === true;
}

/** Makes a failure Status and wraps it. `message` is the API's own wording. */
export function statusError(
  code: number,
  reason: StatusReason,
  message: string,
  details?: StatusDetails,
  options?: ErrorOptions,
): StatusError {
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    code,
  };
  if (reason === "") delete status.reason;
  if (details !== undefined) status.details = details;
  return new StatusError(status, options);
}

/** 404: this object does not exist. */
export function notFound(resource: GroupResource, name: string): StatusError {
  return statusError(404, "NotFound", `${formatGroupResource(resource)} "${name}" not found`, {
    name,
    ...groupOf(resource),
    kind: resource.resource,
  });
}

/** 409: an object of this name exists already. */
export function alreadyExists(resource: GroupResource, name: string): StatusError {
  return statusError(409, "AlreadyExists", `${formatGroupResource(resource)} "${name}" already exists`, {
    name,
    ...groupOf(resource),
    kind: resource.resource,
  });
}

/** 409: the object is not what the caller thinks it is. */
export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${formatGroupResource(resource)} "${name}": ${why}`;
  return statusError(409, "Conflict", message, { name, ...groupOf(resource), kind: resource.resource });
}

/** Why an update with an old resourceVersion is refused. */
export const OBJECT_MODIFIED =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 403: refused by authorization or admission. */
export function forbidden(resource: GroupResource, name: string, why: string): StatusError {
  const what = formatGroupResource(resource);
  let message: string;
  if (resource.resource === "") message = `forbidden: ${why}`;
  else if (name === "") message = `${what} is forbidden: ${why}`;
  else message = `${what} "${name}" is forbidden: ${why}`;
  const details: StatusDetails = { ...groupOf(resource) };
  if (name !== "") details.name = name;
  if (resource.resource !== "") details.kind = resource.resource;
  return statusError(403, "Forbidden", message, details);
}

/** 422: these fields are wrong. `kind` is the kind's name, `group` its group. */
export function invalidObject(
  kind: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const qualified = kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
  const details: StatusDetails = { ...groupOf(kind) };
  if (kind.kind !== "") details.kind = kind.kind;
  if (name !== "") details.name = name;
  details.causes = errors.map((error) => ({ reason: error.type, message: error.body, field: error.path }));
  return statusError(
    422,
    "Invalid",
    `${qualified} "${name}" is invalid: ${formatFieldErrors(errors)}`,
    details,
  );
}

/** One error bare, several in brackets, equal messages once. Source: apimachinery/pkg/util/errors, aggregate.Error. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(formatFieldError))];
  return messages.length === 1 ? messages[0]! : `[${messages.join(", ")}]`;
}

/** 400: the request itself makes no sense. */
export function badRequest(message: string): StatusError {
  return statusError(400, "BadRequest", message);
}

/** 500: something failed that is not the caller's fault. */
export function internalError(message: string, options?: ErrorOptions): StatusError {
  const details: StatusDetails = { causes: [{ message }] };
  return statusError(500, "InternalError", `Internal error occurred: ${message}`, details, options);
}

/** 401: no valid identity. */
export function unauthorized(message = "Unauthorized"): StatusError {
  return statusError(401, "Unauthorized", message);
}

/** 405: the resource has no such verb. */
export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind "${formatGroupResource(resource)}"`;
  return statusError(405, "MethodNotAllowed", message, { ...groupOf(resource), kind: resource.resource });
}

/** 410: the version asked for is no longer kept. */
export function resourceExpired(message: string): StatusError {
  return statusError(410, "Expired", message);
}

/** 429: try again after `retryAfterSeconds`. */
export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return statusError(
    429,
    "TooManyRequests",
    message,
    retryAfterSeconds > 0 ? { retryAfterSeconds } : undefined,
  );
}

export function isNotFound(error: unknown): error is StatusError {
  return hasReason(error, "NotFound");
}

export function isAlreadyExists(error: unknown): error is StatusError {
  return hasReason(error, "AlreadyExists");
}

export function isConflict(error: unknown): error is StatusError {
  return hasReason(error, "Conflict");
}

export function isInvalid(error: unknown): error is StatusError {
  return hasReason(error, "Invalid");
}

export function isForbidden(error: unknown): error is StatusError {
  return hasReason(error, "Forbidden");
}

/** Whether a list or watch must start over: the version it asked for is gone. */
export function isExpired(error: unknown): error is StatusError {
  return isStatusError(error) && error.code === 410;
}

function hasReason(error: unknown, reason: StatusReason): error is StatusError {
  return isStatusError(error) && error.reason === reason;
}

function groupOf(resource: { readonly group: string }): { group?: string } {
  return resource.group === "" ? {} : { group: resource.group };
}
