/**
 * How a client reaches an API server. Two implementations with one contract: HTTP, and a direct call into a server in
 * the same process. Whoever holds a Transport cannot tell which one it has.
 */
export interface Transport {
  /**
   * Sends one request and waits for the whole answer. Throws `StatusError` for every answer of 400 and above (made
   * up when the body is not a Status), and the signal's reason when it is aborted.
   */
  request(request: ClientRequest): Promise<ClientResponse>;

  /**
   * Opens a watch. Resolves when the server has accepted it, throws like {@link request} when it has not.
   * Events arrive in order, each in its own call, until `onEnd` is called once or the subscription is stopped.
   */
  watch(request: ClientRequest, handler: WatchHandler): Promise<WatchSubscription>;

  /** Ends every request and watch and closes connections. */
  close(): Promise<void>;
}

/** A request as a plain value: nothing is sent by making one. */
export interface ClientRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute and escaped, such as `/api/v1/namespaces/default/pods`. */
  readonly path: string;
  /** Unescaped. Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Of the body. Default application/json. */
  readonly contentType?: string;
  /** Default application/json. */
  readonly accept?: string;
  /** A JSON value; the transport encodes it. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface ClientResponse {
  readonly status: number;
  /** The parsed answer. In process it is frozen and shared: copy before changing. */
  readonly body: unknown;
  /** Texts of the Warning headers. */
  readonly warnings: readonly string[];
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  /** The object; for ERROR a Status. In process it is frozen and shared: copy before changing. */
  readonly object: unknown;
}

export interface WatchHandler {
  onEvent(event: WatchEvent): void;
  /** The stream is over: ended by the server (no error) or broken. Not called after `stop`. */
  onEnd(error?: Error): void;
}

export interface WatchSubscription {
  /** Ends the watch; no call of the handler follows. Twice does nothing. */
  stop(): void;
}
