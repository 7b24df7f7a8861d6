import {
  Agent as HttpAgent,
  request as httpRequest,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import {
  ConnectionLostError,
  type TlsOptions,
  type WireConnection,
  type WireRequest,
  type WireResponse,
} from "./connection.ts";

/** Dead peers are noticed by TCP after about this long. */
const KEEP_ALIVE_MS = 30_000;

/** HTTP/1.1 with a pool of kept connections, for servers that do not speak HTTP/2 (or not without TLS). */
export function createHttp1Connection(server: URL, tls: TlsOptions): WireConnection {
  const isSecure = server.protocol === "https:";
  const pool = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS };
  const agent = isSecure
    ? new HttpsAgent({
        ...pool,
        ...(tls.ca === undefined ? {} : { ca: tls.ca }),
        ...(tls.cert === undefined ? {} : { cert: tls.cert }),
        ...(tls.key === undefined ? {} : { key: tls.key }),
        ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
        rejectUnauthorized: tls.insecureSkipVerify !== true,
        minVersion: "TLSv1.2",
      })
    : new HttpAgent(pool);
  const send = isSecure ? httpsRequest : httpRequest;
  return {
    capacity: Number.POSITIVE_INFINITY,
    isClosed: false,
    send: (wire) => exchange(wire, (options) => send(server, { ...options, agent })),
    retire() {}, // Kept connections end when the server tires of them.
    async close() {
      agent.destroy();
    },
  };
}

function exchange(
  wire: WireRequest,
  open: (options: RequestOptions) => ReturnType<typeof httpRequest>,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const length = wire.body === undefined ? {} : { "content-length": String(Buffer.byteLength(wire.body)) };
    const outgoing = open({
      method: wire.method,
      path: wire.path,
      headers: { ...wire.headers, ...length } as OutgoingHttpHeaders, // Node does not change the lists.
      ...(wire.signal === undefined ? {} : { signal: wire.signal }),
    });
    outgoing.on("response", (incoming) => {
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        stream: incoming,
        isComplete: () => incoming.complete,
      });
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (wire.signal?.aborted === true) reject(wire.signal.reason);
      else if (error.code === "ECONNRESET" || error.code === "EPIPE")
        reject(new ConnectionLostError("the connection was lost before an answer came", { cause: error }));
      else reject(error);
    });
    outgoing.end(wire.body);
  });
}
