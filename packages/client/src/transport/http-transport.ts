import { statusError } from "@binnacle/apimachinery";
import { type Clock, sleep, stringifyJson } from "@binnacle/base";
import { ConnectionLostError, NotSentError, type WireConnection, type WireResponse } from "./connection.ts";
import { type CredentialSource, type Credentials, fixedCredentials } from "./credentials.ts";
import { dial } from "./dial.ts";
import { LineSplitter } from "./json-lines.ts";
import { readJson } from "./read-json.ts";
import { responseError } from "./response-error.ts";
import type {
  ClientRequest,
  ClientResponse,
  Transport,
  WatchEvent,
  WatchHandler,
  WatchSubscription,
} from "./transport.ts";
import { parseWarningHeaders } from "./warning-header.ts";

/** A server and who we are to it. Made from a kubeconfig, a service account's files, or by hand. */
export interface ServerConnection {
  /** Such as `https://127.0.0.1:6443`; a path is kept as a prefix. */
  readonly server: string;
  /** PEM certificates that may sign the server's. Default: the machine's. */
  readonly certificateAuthority?: string;
  /** The name the server's certificate must have. Default: the host of `server`. */
  readonly tlsServerName?: string;
  /** Accepts any server. Default false. */
  readonly insecureSkipTlsVerify?: boolean;
  readonly credentials?: CredentialSource;
  /** Acts as somebody else. */
  readonly impersonate?: {
    readonly user: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
  };
  /** The context's namespace, if it names one. */
  readonly namespace?: string;
}

export interface HttpTransportOptions {
  readonly clock: Clock;
  /** Default `binnacle`. Its part before the slash is the default field manager. */
  readonly userAgent?: string;
  /** Requests other than watches fail after so many milliseconds. Default 60,000. */
  readonly requestTimeoutMs?: number;
}

const DEFAULT_REQUEST_TIMEOUT_MS = 60_000;
const DEFAULT_USER_AGENT = "binnacle";
/** How often an answer that asks for patience (429 or 5xx with Retry-After) is followed by another try. */
const MAX_RETRIES_LATER = 10;
/** How often a request that never arrived, or that changes nothing, is sent again over another connection. */
const MAX_RESENDS = 3;

/** Talks to an API server over HTTP/2 or HTTP/1.1. Opens connections when they are needed and replaces lost ones. */
export function createHttpTransport(connection: ServerConnection, options: HttpTransportOptions): Transport {
  return new HttpTransport(connection, options);
}

class HttpTransport implements Transport {
  readonly #target: ServerConnection;
  readonly #options: HttpTransportOptions;
  readonly #url: URL;
  readonly #prefix: string;
  readonly #credentials: CredentialSource;
  /** Of every request and watch under way. */
  readonly #running = new Set<AbortController>();
  #isClosed = false;
  #connections: WireConnection[] = [];
  #certificate: string | undefined;
  #dialling: Promise<WireConnection> | undefined;

  constructor(target: ServerConnection, options: HttpTransportOptions) {
    this.#target = target;
    this.#options = options;
    this.#url = new URL(target.server);
    this.#prefix = this.#url.pathname.replace(/\/$/, "");
    this.#credentials = target.credentials ?? fixedCredentials({});
  }

  async request(request: ClientRequest): Promise<ClientResponse> {
    const call = this.#begin(request.signal);
    try {
      for (let tries = 0; ; tries++) {
        const wire = await this.#exchange(request, call.signal);
        const text = await readText(wire, call.signal);
        if (wire.status < 400) {
          const warnings = parseWarningHeaders(wire.headers["warning"]);
          return { status: wire.status, body: readBody(text, wire), warnings };
        }
        const retryAfterSeconds = readRetryAfter(wire);
        const isBusy = wire.status === 429 || wire.status >= 500;
        if (!isBusy || retryAfterSeconds === undefined || tries >= MAX_RETRIES_LATER)
          throw responseError(wire.status, text, retryAfterSeconds);
        await sleep(this.#options.clock, retryAfterSeconds * 1000, call.signal);
      }
    } finally {
      call.end();
    }
  }

  async watch(request: ClientRequest, handler: WatchHandler): Promise<WatchSubscription> {
    const call = this.#begin(request.signal);
    try {
      const wire = await this.#exchange(request, call.signal);
      if (wire.status >= 400) {
        const text = await readText(wire, call.signal);
        throw responseError(wire.status, text, readRetryAfter(wire));
      }
      call.liftDeadline();
      return deliver(wire, call, handler);
    } catch (error) {
      call.end();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const controller of this.#running) controller.abort(new Error("the transport is closed"));
    const connections = this.#connections;
    this.#connections = [];
    await Promise.all(connections.map((connection) => connection.close()));
  }

  /** Joins the caller's signal, the deadline and the closing of the transport. */
  #begin(outer: AbortSignal | undefined): Call {
    const controller = new AbortController();
    const timeoutMs = this.#options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS;
    const timer = this.#options.clock.setTimer(timeoutMs, () => {
      controller.abort(statusError(504, "Timeout", `the server did not answer within ${timeoutMs} ms`));
    });
    const onAbort = (): void => controller.abort(outer?.reason);
    if (this.#isClosed) controller.abort(new Error("the transport is closed"));
    else if (outer?.aborted === true) onAbort();
    else outer?.addEventListener("abort", onAbort, { once: true });
    this.#running.add(controller);
    return {
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
      liftDeadline: () => timer.cancel(),
      end: () => {
        timer.cancel();
        outer?.removeEventListener("abort", onAbort);
        this.#running.delete(controller);
      },
    };
  }

  /** Sends with fresh credentials once more after a 401, and again when a connection went away unused. */
  async #exchange(request: ClientRequest, signal: AbortSignal): Promise<WireResponse> {
    const body = request.body === undefined ? undefined : stringifyJson(request.body);
    const path = this.#prefix + request.path + formatQuery(request.query);
    let mayRefresh = true;
    for (let tries = 0; ; tries++) {
      signal.throwIfAborted();
      const credentials = await orAborted(this.#credentials.current(), signal);
      const connection = await orAborted(this.#connection(credentials), signal);
      try {
        const headers = this.#headers(request, credentials);
        const wire = await connection.send({
          method: request.method,
          path,
          headers,
          signal,
          ...(body === undefined ? {} : { body }),
        });
        if (wire.status !== 401 || !mayRefresh || !this.#credentials.invalidate()) return wire;
        mayRefresh = false;
        wire.stream.destroy();
      } catch (error) {
        const mayResend =
          error instanceof NotSentError || (error instanceof ConnectionLostError && request.method === "GET");
        if (!mayResend || tries >= MAX_RESENDS) throw error;
      }
    }
  }

  /** A connection with room for one more exchange; a new one when there is none. */
  #connection(credentials: Credentials): Promise<WireConnection> {
    if (credentials.clientCertificate !== this.#certificate) {
      // A new client certificate needs a new handshake. Exchanges under way end on the old connection.
      this.#certificate = credentials.clientCertificate;
      for (const connection of this.#connections) connection.retire();
    }
    this.#connections = this.#connections.filter((each) => !each.isClosed);
    const free = this.#connections.find((each) => each.capacity > 0);
    if (free !== undefined) return Promise.resolve(free);
    this.#dialling ??= this.#dial(credentials).finally(() => {
      this.#dialling = undefined;
    });
    return this.#dialling;
  }

  async #dial(credentials: Credentials): Promise<WireConnection> {
    const { certificateAuthority, tlsServerName, insecureSkipTlsVerify } = this.#target;
    const { clientCertificate, clientKey } = credentials;
    const tls = {
      ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
      ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
      ...(insecureSkipTlsVerify === undefined ? {} : { insecureSkipVerify: insecureSkipTlsVerify }),
      ...(clientCertificate === undefined ? {} : { cert: clientCertificate }),
      ...(clientKey === undefined ? {} : { key: clientKey }),
    };
    const connection = await dial(this.#url, tls, this.#options.clock);
    if (this.#isClosed) await connection.close();
    else this.#connections.push(connection);
    return connection;
  }

  #headers(request: ClientRequest, credentials: Credentials): Record<string, string | readonly string[]> {
    const { impersonate } = this.#target;
    const headers: Record<string, string | readonly string[]> = {
      accept: request.accept ?? "application/json",
      "user-agent": this.#options.userAgent ?? DEFAULT_USER_AGENT,
    };
    if (request.body !== undefined) headers["content-type"] = request.contentType ?? "application/json";
    if (credentials.authorization !== undefined) headers["authorization"] = credentials.authorization;
    if (impersonate !== undefined) headers["impersonate-user"] = impersonate.user;
    if (impersonate?.uid !== undefined) headers["impersonate-uid"] = impersonate.uid;
    if (impersonate?.groups !== undefined) headers["impersonate-group"] = impersonate.groups;
    return headers;
  }
}

/** One request or watch under way. */
interface Call {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  liftDeadline(): void;
  end(): void;
}

/** Turns the lines of the stream into events until it ends, breaks, or is stopped. */
function deliver(wire: WireResponse, call: Call, handler: WatchHandler): WatchSubscription {
  const { stream } = wire;
  let hasEnded = false;
  let isOver = false;
  const finish = (notify: (() => void) | undefined): void => {
    if (isOver) return;
    isOver = true;
    call.signal.removeEventListener("abort", onAbort);
    call.end();
    stream.destroy();
    notify?.();
  };
  const fail = (error: Error): void => finish(() => handler.onEnd(error));
  const onAbort = (): void => finish(undefined);
  call.signal.addEventListener("abort", onAbort, { once: true });
  const lines = new LineSplitter((line) => {
    if (!isOver) handler.onEvent(readEvent(line));
  });
  stream.on("data", (chunk: Buffer) => {
    try {
      lines.push(chunk);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
  stream.on("end", () => {
    hasEnded = true;
  });
  stream.on("error", fail);
  stream.on("close", () => {
    if (!hasEnded || !wire.isComplete()) {
      fail(new ConnectionLostError("the connection of the watch was lost"));
      return;
    }
    try {
      lines.end();
      finish(() => handler.onEnd());
    } catch (error) {
      fail(new Error("the watch ended within an event", { cause: error }));
    }
  });
  return { stop: () => finish(() => call.abort(new Error("the watch was stopped"))) };
}

function readEvent(line: string): WatchEvent {
  const event = readJson(line);
  if (typeof event !== "object" || event === null || !("type" in event) || !("object" in event))
    throw new Error(`a watch event was expected, not ${line.slice(0, 100)}`);
  return event as WatchEvent; // Its two fields are there; the server is trusted to fill them as the API says.
}

async function readText(wire: WireResponse, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of wire.stream) chunks.push(chunk as Buffer); // No encoding is set: always a Buffer.
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  signal.throwIfAborted();
  if (!wire.isComplete()) throw new ConnectionLostError("the connection was lost within the answer");
  return Buffer.concat(chunks).toString("utf8");
}

/** JSON is parsed; anything else (logs, metrics, `ok`) stays text. */
function readBody(text: string, wire: WireResponse): unknown {
  if (text === "") return undefined;
  return String(wire.headers["content-type"]).includes("json") ? readJson(text) : text;
}

function readRetryAfter(wire: WireResponse): number | undefined {
  const seconds = Number(wire.headers["retry-after"]);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined;
}

function formatQuery(query: ClientRequest["query"]): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
