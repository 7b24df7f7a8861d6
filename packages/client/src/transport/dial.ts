import { isIP } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Clock } from "@binnacle/base";
import type { TlsOptions, WireConnection } from "./connection.ts";
import { createHttp1Connection } from "./http1-connection.ts";
import { createHttp2Connection } from "./http2-connection.ts";

/** Connects to a server: HTTP/2 when both sides agree on it in the TLS handshake, HTTP/1.1 otherwise. */
export async function dial(server: URL, tls: TlsOptions, clock: Clock): Promise<WireConnection> {
  if (server.protocol === "http:") return createHttp1Connection(server, tls);
  const socket = await handshake(server, tls);
  if (socket.alpnProtocol === "h2") return createHttp2Connection(server, socket, clock);
  socket.destroy();
  return createHttp1Connection(server, tls);
}

function handshake(server: URL, tls: TlsOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const host = server.hostname.replace(/^\[|\]$/g, "");
    const serverName = tls.serverName ?? (isIP(host) === 0 ? host : undefined);
    const socket = connectTls({
      host,
      port: server.port === "" ? 443 : Number(server.port),
      ALPNProtocols: ["h2", "http/1.1"],
      minVersion: "TLSv1.2",
      rejectUnauthorized: tls.insecureSkipVerify !== true,
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(tls.cert === undefined ? {} : { cert: tls.cert }),
      ...(tls.key === undefined ? {} : { key: tls.key }),
    });
    socket.setNoDelay(true);
    socket.once("secureConnect", () => {
      socket.removeListener("error", reject);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}
