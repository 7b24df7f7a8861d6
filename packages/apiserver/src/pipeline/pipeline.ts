import { internalError, isStatusError, type StatusError, statusError } from "@binnacle/apimachinery";
import { encodeObject } from "../endpoints/get.ts";
import { type MediaType, PROTOBUF } from "../negotiation/accept.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { authenticate } from "./authenticate.ts";
import { authorize } from "./authorize.ts";
import { dispatch } from "./dispatch.ts";
import { impersonate } from "./impersonate.ts";
import { takeSeat } from "./take-seat.ts";

/** Part of a request's way. Throws a StatusError to end it there. */
export type Stage = (core: ApiServerCore, request: RequestContext) => Promise<void> | void;

/**
 * What every request from the wire passes, in this order, before {@link dispatch} finds who answers it. A request
 * info and a signal that carries the deadline were made by the transport.
 */
export const STAGES: readonly Stage[] = [authenticate, impersonate, takeSeat, authorize];

/** A client in the same process comes with its identity: it enters after `authenticate`. */
export const STAGES_IN_PROCESS: readonly Stage[] = [takeSeat, authorize];

/** Takes a request through the stages to its answer. Never rejects: whatever is thrown becomes a Status. */
export async function runPipeline(
  core: ApiServerCore,
  request: RequestContext,
  stages: readonly Stage[],
): Promise<ApiResponse> {
  try {
    for (const stage of stages) {
      const pending = stage(core, request);
      if (pending !== undefined) await pending;
    }
    return await dispatch(core, request);
  } catch (error) {
    return recover(core, request, error);
  } finally {
    request.releaseSeat?.();
  }
}

/** The answer to a request that failed. */
function recover(core: ApiServerCore, request: RequestContext, error: unknown): ApiResponse {
  if (isStatusError(error)) return respondToError(core, request, error);
  if (request.signal.aborted) {
    return respondToError(
      core,
      request,
      statusError(504, "Timeout", "request did not complete within requested timeout"),
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  core.logger.error("a request failed", { method: request.method, path: request.info.path, error });
  return respondToError(core, request, internalError(message));
}

function respondToError(core: ApiServerCore, request: RequestContext, error: StatusError): ApiResponse {
  const { retryAfterSeconds } = error.status.details ?? {};
  const response = encodeObject(core, error.code, error.status, {
    mediaType: errorMediaType(request.headers.get("accept")),
    as: "object",
    version: "",
    isPretty: false,
  });
  if (retryAfterSeconds === undefined) return response;
  return { ...response, headers: { "retry-after": String(retryAfterSeconds) } };
}

/** Errors are written in the first type that the client names, JSON when in doubt: they must get there. */
function errorMediaType(accept = ""): MediaType {
  if (accept.startsWith("application/yaml")) return "application/yaml";
  return accept.startsWith(PROTOBUF) ? PROTOBUF : "application/json";
}
