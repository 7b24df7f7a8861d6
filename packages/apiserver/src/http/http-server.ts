import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Stoppable } from "@binnacle/base";
import { runPipeline, STAGES } from "../pipeline/pipeline.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { PeerCertificate } from "../request/request-context.ts";
import { type AnswerStream, writeAnswer } from "./http-answer.ts";
import { HttpRequest } from "./http-request.ts";
import { WatchWriter } from "./watch-writer.ts";

export interface HttpServerOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly privateKey: string;
  /** PEM. Client certificates are verified against it. */
  readonly clientCa?: string | undefined;
}

export interface HttpServer extends Stoppable {
  readonly host: string;
  readonly port: number;
}

/** Source: kube-apiserver --request-timeout. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Sessions with nothing heard for this long are asked whether they still live. Source: Go's http2 ReadIdleTimeout use. */
const PING_IDLE_MS = 30_000;

/** Serves the API over TLS: HTTP/2, and HTTP/1.1 for those who cannot. Rejects when the port is taken. */
export async function startHttpServer(core: ApiServerCore, options: HttpServerOptions): Promise<HttpServer> {
  const api: ServedApi = { core, watchWriter: new WatchWriter() };
  const server = createSecureServer({
    allowHTTP1: true,
    cert: options.certificate,
    key: options.privateKey,
    ...(options.clientCa === undefined ? {} : { ca: options.clientCa }),
    requestCert: options.clientCa !== undefined,
    rejectUnauthorized: false, // A wrong certificate is a 401 with a Status, not a broken handshake.
    minVersion: "TLSv1.2",
    settings: { maxConcurrentStreams: 1_000, initialWindowSize: 1024 * 1024 },
    maxSessionMemory: 256,
    maxSessionRejectedStreams: 10_000,
  });
  // The compatibility layer turns streams into requests; HTTP/2 streams are handled without it.
  server.on("request", (incoming, outgoing) => {
    if (incoming.httpVersionMajor === 1) {
      // With allowHTTP1 the types of HTTP/1.1 requests are Node's own.
      handleHttp1(api, incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse);
    }
  });
  server.removeAllListeners("stream");
  server.on("stream", (stream, headers, flags) => handleStream(api, stream, headers, flags));
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    keepAlive(core, session);
  });
  server.on("sessionError", (error) => core.logger.debug("a session failed", { error }));
  server.on("tlsClientError", (error) =>
    core.logger.debug("a TLS handshake failed", { error: error.message }),
  );
  await listen(server, options);
  const { port } = server.address() as AddressInfo; // Listening on TCP.
  return { host: options.host, port, stop: () => close(server, sessions) };
}

function listen(server: Http2SecureServer, options: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      server.on("error", () => {}); // Single connections report their own failures.
      resolve();
    });
  });
}

/** Says goodbye to every session, then ends what is left. */
function close(server: Http2SecureServer, sessions: ReadonlySet<Http2Session>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const session of sessions) {
      if (!session.closed) session.goaway(constants.NGHTTP2_NO_ERROR);
      session.destroy();
    }
    // HTTP/1.1 connections that wait for another request would keep the server open.
    (server as unknown as { closeAllConnections?: () => void }).closeAllConnections?.();
  });
}

function keepAlive(core: ApiServerCore, session: ServerHttp2Session): void {
  session.setTimeout(PING_IDLE_MS, () => {
    if (session.destroyed) return;
    const dead = core.clock.setTimer(PING_IDLE_MS / 2, () => session.destroy());
    session.ping((error) => {
      dead.cancel();
      if (error !== null) session.destroy();
    });
  });
}

interface ServedApi {
  readonly core: ApiServerCore;
  readonly watchWriter: WatchWriter;
}

function handleStream(
  api: ServedApi,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
): void {
  const hasBody = (flags & constants.NGHTTP2_FLAG_END_STREAM) === 0;
  const socket = stream.session?.socket as TLSSocket | undefined; // The server only speaks TLS.
  const request = new HttpRequest({
    method: headers[":method"] ?? "GET",
    url: headers[":path"] ?? "/",
    headers,
    stream,
    hasBody,
    peerCertificate: peerCertificateOf(stream.session, socket),
    remoteAddress: socket?.remoteAddress,
  });
  stream.on("error", () => {}); // The client reset it: `close` follows.
  const answer: AnswerStream = {
    head: (status, fields) => {
      if (!stream.headersSent && !stream.closed)
        stream.respond({ ":status": status, ...(fields as Record<string, string>) });
    },
    write: (bytes, done) => void stream.write(bytes, done),
    end: (bytes) => void (bytes === undefined ? stream.end() : stream.end(bytes)),
    get pendingBytes() {
      return stream.writableLength;
    },
    get isClosed() {
      return stream.closed || stream.destroyed;
    },
    onClose: (callback) => void stream.once("close", callback),
  };
  void serve(api, request, answer);
}

function handleHttp1(api: ServedApi, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const socket = incoming.socket as TLSSocket; // The server only speaks TLS.
  const { headers } = incoming;
  const request = new HttpRequest({
    method: incoming.method ?? "GET",
    url: incoming.url ?? "/",
    headers,
    stream: incoming,
    hasBody: Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined,
    peerCertificate: peerCertificateOf(socket, socket),
    remoteAddress: socket.remoteAddress,
  });
  outgoing.on("error", () => {}); // The client went away: `close` follows.
  const answer: AnswerStream = {
    head: (status, fields) => {
      if (!outgoing.headersSent) outgoing.writeHead(status, fields as Record<string, string>);
      outgoing.flushHeaders();
    },
    write: (bytes, done) => void outgoing.write(bytes, done),
    end: (bytes) => void (bytes === undefined ? outgoing.end() : outgoing.end(bytes)),
    get pendingBytes() {
      return outgoing.writableLength;
    },
    get isClosed() {
      return outgoing.destroyed || outgoing.closed;
    },
    onClose: (callback) => void outgoing.once("close", callback),
  };
  void serve(api, request, answer);
}

async function serve(api: ServedApi, request: HttpRequest, answer: AnswerStream): Promise<void> {
  const { core, watchWriter } = api;
  core.activity.begin();
  const isWatch = request.info.verb === "watch";
  const deadline = isWatch ? undefined : core.clock.setTimer(REQUEST_TIMEOUT_MS, () => request.abort());
  answer.onClose(() => request.abort());
  try {
    const response = await runPipeline(core, request, STAGES);
    if (!answer.isClosed) await writeAnswer(request, response, answer, watchWriter);
  } catch (error) {
    core.logger.error("an answer could not be written", { path: request.info.path, error });
    if (!answer.isClosed) answer.end();
  } finally {
    deadline?.cancel();
    core.activity.end();
  }
}

const certificates = new WeakMap<object, PeerCertificate | "none">(); // A cache per connection.

function peerCertificateOf(
  connection: object | undefined,
  socket: TLSSocket | undefined,
): PeerCertificate | undefined {
  if (connection === undefined || socket === undefined) return undefined;
  const known = certificates.get(connection);
  if (known !== undefined) return known === "none" ? undefined : known;
  const certificate = readCertificate(socket);
  certificates.set(connection, certificate ?? "none");
  return certificate;
}

function readCertificate(socket: TLSSocket): PeerCertificate | undefined {
  const raw = socket.getPeerCertificate?.();
  if (raw === undefined || raw === null || raw.subject === undefined) return undefined;
  const { CN, O } = raw.subject as { CN?: string | string[]; O?: string | string[] }; // As X.509 allows.
  return {
    commonName: asList(CN)[0] ?? "",
    organizations: asList(O),
    isVerified: socket.authorized,
  };
}

function asList(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
