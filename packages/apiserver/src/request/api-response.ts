/** An answer, before a transport turns it into bytes or hands over the object. */
export interface ApiResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content: ResponseContent;
}

export type ResponseContent =
  /** A JSON value; `bytes` are its encoding when somebody has made it already. */
  | {
      readonly kind: "object";
      readonly value: unknown;
      readonly bytes?: Uint8Array;
      readonly contentType?: string;
    }
  /** Something large whose bytes and value are made on demand, one of the two. */
  | { readonly kind: "lazy"; readonly value: () => unknown; readonly bytes: () => Uint8Array }
  /** Something too large to be put together in memory: its bytes are copied out piece by piece. */
  | { readonly kind: "pieces"; readonly value: () => unknown; readonly pieces: () => ByteSource }
  | { readonly kind: "raw"; readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly kind: "watch"; readonly contentType?: string; readonly open: (sink: WatchSink) => void };

/** The bytes of a large body, in order. */
export interface ByteSource {
  /** All of them, in bytes. */
  readonly size: number;
  /** Copies the next ones into `target` and says how many; fewer than fit only at the end. */
  read(target: Buffer): number;
}

/** Where a watch sends its events. One implementation per transport. */
export interface WatchSink {
  /**
   * Takes one event. Returns false when the reader is so far behind that the watch must end.
   */
  send(event: WatchFrame): boolean;
  /** Passes on what was sent since the last time: called after each batch of events. */
  flush(): void;
  /** The server is done with this watch. */
  end(): void;
  /** Called once when the reader is gone. */
  onClose(callback: () => void): void;
}

export interface WatchFrame {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  /** The whole line, newline included. */
  readonly bytes: () => Uint8Array;
  readonly object: () => unknown;
}

/** A frame that is encoded at most once, however many watchers get it. */
export function sharedFrame(
  type: WatchFrame["type"],
  object: () => unknown,
  encode: () => Uint8Array,
): WatchFrame {
  let bytes: Uint8Array | undefined;
  return {
    type,
    object,
    bytes: () => {
      bytes ??= encode();
      return bytes;
    },
  };
}

/** An answer that is one JSON value. */
export function objectResponse(status: number, value: unknown, bytes?: Uint8Array): ApiResponse {
  return {
    status,
    content: bytes === undefined ? { kind: "object", value } : { kind: "object", value, bytes },
  };
}
