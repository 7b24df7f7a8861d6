import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { RequestContext } from "../request/request-context.ts";

/** Waits until flow control lets the request be served. Throws 429 when too many others are. */
export function takeSeat(core: ApiServerCore, request: RequestContext): Promise<void> | void {
  const seat = core.flowControl.enter(request);
  if (!(seat instanceof Promise)) request.releaseSeat = seat;
  else
    return seat.then((release) => {
      request.releaseSeat = release;
    });
}
