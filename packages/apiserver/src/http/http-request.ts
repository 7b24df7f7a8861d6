import type { IncomingHttpHeaders } from "node:http2";
import type { Readable } from "node:stream";
import type {
  PeerCertificate,
  RequestBody,
  RequestContext,
  RequestHeaders,
} from "../request/request-context.ts";
import { parseRequestInfo, type RequestInfo } from "../request/request-info.ts";
import { ANONYMOUS, type UserInfo } from "../request/user-info.ts";
import { bodyTooLarge } from "../write-path/decode.ts";

/** Source: kubernetes v1.36 apiserver/pkg/server/config.go, MaxRequestBodyBytes: 3 MiB. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** A request that came over the wire. */
export class HttpRequest implements RequestContext {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  readonly body: RequestBody;
  readonly peerCertificate?: PeerCertificate;
  readonly remoteAddress?: string;
  readonly warnings: string[] = [];
  readonly answerHeaders: Record<string, string> = {};
  releaseSeat: (() => void) | undefined;
  info: RequestInfo;
  user: UserInfo = ANONYMOUS;
  #abort: AbortController | undefined;
  #isAborted = false;

  constructor(input: {
    method: string;
    url: string;
    headers: IncomingHttpHeaders;
    stream: Readable;
    hasBody: boolean;
    peerCertificate: PeerCertificate | undefined;
    remoteAddress: string | undefined;
  }) {
    this.method = input.method;
    const mark = input.url.indexOf("?");
    const path = mark < 0 ? input.url : input.url.slice(0, mark);
    this.query = new URLSearchParams(mark < 0 ? "" : withoutBroken(input.url.slice(mark + 1)));
    this.headers = new HttpHeaders(input.headers);
    this.body = input.hasBody ? { kind: "bytes", read: () => readAll(input.stream) } : { kind: "none" };
    if (input.peerCertificate !== undefined) this.peerCertificate = input.peerCertificate;
    if (input.remoteAddress !== undefined) this.remoteAddress = input.remoteAddress;
    this.info = parseRequestInfo(input.method, path, this.query);
  }

  /** Made when somebody asks: most requests end before anybody does. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#isAborted) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  /** The client is gone, or the deadline has passed. */
  abort(): void {
    this.#isAborted = true;
    this.#abort?.abort();
  }
}

/** Pairs that are not percent-encoded properly are dropped. Source: Go net/url ParseQuery, whose error is ignored. */
function withoutBroken(query: string): string {
  if (!/%(?![0-9a-fA-F]{2})/.test(query)) return query;
  return query
    .split("&")
    .filter((pair) => !/%(?![0-9a-fA-F]{2})/.test(pair))
    .join("&");
}

class HttpHeaders implements RequestHeaders {
  readonly #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  get(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  all(name: string): readonly string[] {
    const value = this.#headers[name];
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    // Node joins repeated headers it does not know; group names hold no comma followed by a blank.
    return value.split(", ");
  }

  names(): Iterable<string> {
    return Object.keys(this.#headers);
  }
}

function readAll(stream: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        stream.off("data", onData);
        stream.resume(); // The rest is read and dropped, so that the answer gets through.
        reject(bodyTooLarge(MAX_BODY_BYTES));
        return;
      }
      chunks.push(chunk);
    };
    stream.on("data", onData);
    stream.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    stream.once("error", reject);
    stream.once("aborted", () => reject(new Error("the client went away")));
  });
}
