import type { Readable } from "node:stream";

/** One exchange with a server over whatever protocol was agreed on. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, escaped. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Errors when the connection is lost or the request aborted. Destroying it cancels the exchange. */
  readonly stream: Readable;
  /** Whether the stream, once ended, ended because the server was done: a lost connection can look the same. */
  isComplete(): boolean;
}

/** Connections to one server. */
export interface WireConnection {
  /** Resolves when the headers of the answer are there. Throws {@link NotSentError} when nothing reached the server. */
  send(request: WireRequest): Promise<WireResponse>;
  /** How many more exchanges it can take at present; 0 when it is closing. */
  readonly capacity: number;
  /** Takes no more exchanges, now or later. */
  readonly isClosed: boolean;
  /** Closes when the exchanges under way are over. */
  retire(): void;
  /** Cuts off the exchanges under way. */
  close(): Promise<void>;
}

/** The server has certainly not acted on the request: it may be sent again on another connection. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";
}

/** The connection went away before an answer began: the server may have acted on the request or not. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
}

/** What the TLS layer needs. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
}
