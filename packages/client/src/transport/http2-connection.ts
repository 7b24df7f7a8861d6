import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from "node:http2";
import type { TLSSocket } from "node:tls";
import { type Clock, mustExist, type Timer } from "@binnacle/base";
import {
  ConnectionLostError,
  NotSentError,
  type WireConnection,
  type WireRequest,
  type WireResponse,
} from "./connection.ts";

/**
 * A session that has received nothing for this long is asked for a sign of life.
 * Source: kubernetes v1.36 apimachinery/pkg/util/net/http.go, readIdleTimeoutSeconds and pingTimeoutSeconds.
 */
const PING_AFTER_IDLE_MS = 30_000;
const PING_TIMEOUT_MS = 15_000;

/** Assumed until the server states its own limit. Source: RFC 9113 section 6.5.2 recommends at least 100. */
const DEFAULT_MAX_STREAMS = 100;

/** Receive window of the session and of each stream: one list page fits without waiting for updates. */
const WINDOW_BYTES = 4 * 1024 * 1024;

/** One HTTP/2 session over a socket that has agreed on `h2`. */
export function createHttp2Connection(server: URL, socket: TLSSocket, clock: Clock): WireConnection {
  return new Http2Connection(server, socket, clock);
}

class Http2Connection implements WireConnection {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  readonly #socket: TLSSocket;
  #openStreams = 0;
  #isClosing = false;
  #bytesSeen = 0;
  #watchdog: Timer | undefined;

  constructor(server: URL, socket: TLSSocket, clock: Clock) {
    this.#clock = clock;
    this.#socket = socket;
    this.#session = connect(server, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
    });
    this.#session.on("connect", () => this.#session.setLocalWindowSize(WINDOW_BYTES));
    const retire = (): void => {
      this.#isClosing = true;
    };
    this.#session.on("goaway", retire);
    this.#session.on("error", retire); // Each open stream reports the failure to its own caller.
    this.#session.on("close", () => {
      retire();
      this.#watchdog?.cancel();
    });
    this.#watch();
  }

  get capacity(): number {
    if (this.isClosed) return 0;
    const limit = this.#session.remoteSettings?.maxConcurrentStreams ?? DEFAULT_MAX_STREAMS;
    return Math.max(0, limit - this.#openStreams);
  }

  get isClosed(): boolean {
    return this.#isClosing || this.#session.closed || this.#session.destroyed;
  }

  retire(): void {
    this.#isClosing = true;
    this.#session.close();
  }

  send(wire: WireRequest): Promise<WireResponse> {
    return new Promise((resolve, reject) => {
      if (wire.signal?.aborted === true) {
        reject(wire.signal.reason);
        return;
      }
      if (this.isClosed) {
        reject(new NotSentError("the session is closing"));
        return;
      }
      const stream = this.#session.request(
        { ...(wire.headers as OutgoingHttpHeaders), ":method": wire.method, ":path": wire.path }, // Lists stay unchanged.
        { endStream: wire.body === undefined },
      );
      if (this.#openStreams++ === 0) this.#socket.ref();
      const onAbort = (): void => {
        stream.close(constants.NGHTTP2_CANCEL);
        reject(mustExist(wire.signal, "the signal that was aborted").reason);
        stream.destroy();
      };
      wire.signal?.addEventListener("abort", onAbort, { once: true });
      stream.on("close", () => {
        wire.signal?.removeEventListener("abort", onAbort);
        if (--this.#openStreams === 0 && !this.#socket.destroyed) this.#socket.unref();
        reject(closedEarly(stream.rstCode)); // Without effect once the answer has begun.
      });
      stream.on("error", (error) => {
        const wasRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
        const wrapped = wasRefused
          ? new NotSentError("the stream was refused", { cause: error })
          : new ConnectionLostError("the connection was lost before an answer came", { cause: error });
        reject(wrapped); // Without effect once the answer has begun.
      });
      stream.on("response", (headers) => {
        const isComplete = (): boolean => stream.rstCode === constants.NGHTTP2_NO_ERROR;
        resolve({ status: headers[":status"] ?? 0, headers, stream, isComplete });
      });
      if (wire.body !== undefined) stream.end(wire.body);
    });
  }

  close(): Promise<void> {
    this.#isClosing = true;
    this.#watchdog?.cancel();
    if (this.#session.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#session.once("close", () => resolve());
      this.#session.destroy();
    });
  }

  /** Pings when nothing has come in for a while, and gives the session up when that is not answered. */
  #watch(): void {
    this.#watchdog = this.#clock.setTimer(PING_AFTER_IDLE_MS, () => {
      if (this.#session.destroyed) return;
      const seen = this.#socket.bytesRead;
      if (seen !== this.#bytesSeen || this.#openStreams === 0) {
        this.#bytesSeen = seen;
        this.#watch();
        return;
      }
      this.#watchdog = this.#clock.setTimer(PING_TIMEOUT_MS, () => {
        this.#session.destroy(new Error("the server does not answer pings"));
      });
      this.#session.ping((error) => {
        this.#watchdog?.cancel();
        if (error === null && !this.#session.destroyed) this.#watch();
      });
    });
  }
}

function closedEarly(code: number): Error {
  if (code === constants.NGHTTP2_REFUSED_STREAM) return new NotSentError("the stream was refused");
  return new ConnectionLostError(`the stream was closed before an answer came (HTTP/2 error code ${code})`);
}
