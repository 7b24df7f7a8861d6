import { type ApiServerCore, requestInProcess, type UserInfo, watchInProcess } from "@binnacle/apiserver";
import type {
  ClientRequest,
  ClientResponse,
  Transport,
  WatchHandler,
  WatchSubscription,
} from "@binnacle/client";

/** A transport that calls a server in the same process: the same pipeline, no bytes, frozen answers. */
export function createInProcessTransport(
  core: ApiServerCore,
  identity: { readonly user: UserInfo; readonly userAgent: string },
): Transport {
  const open = new Set<() => void>();
  const toRequest = (request: ClientRequest): Parameters<typeof requestInProcess>[1] => ({
    method: request.method,
    path: request.path,
    query: toQuery(request.query),
    user: identity.user,
    userAgent: identity.userAgent,
    contentType: request.contentType,
    accept: request.accept,
    body: request.body,
    signal: request.signal,
  });
  return {
    async request(request): Promise<ClientResponse> {
      request.signal?.throwIfAborted();
      return requestInProcess(core, toRequest(request));
    },
    async watch(request: ClientRequest, handler: WatchHandler): Promise<WatchSubscription> {
      request.signal?.throwIfAborted();
      const stop = await watchInProcess(core, toRequest(request), {
        onEvent: (event) => handler.onEvent(event),
        onEnd: () => {
          forget();
          handler.onEnd();
        },
      });
      // A signal lives longer than a watch: reflectors open one after the other under the same one.
      const forget = (): void => {
        open.delete(stopOnce);
        request.signal?.removeEventListener("abort", stopOnce);
      };
      const stopOnce = (): void => {
        forget();
        stop();
      };
      open.add(stopOnce);
      request.signal?.addEventListener("abort", stopOnce, { once: true });
      if (request.signal?.aborted === true) stopOnce(); // While the watch was being opened.
      return { stop: stopOnce };
    },
    async close() {
      for (const stop of [...open]) stop();
    },
  };
}

function toQuery(query: ClientRequest["query"]): URLSearchParams {
  const result = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) result.set(name, String(value));
  }
  return result;
}
