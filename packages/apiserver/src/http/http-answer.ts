import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { stringifyJson } from "@binnacle/base";
import type { ApiResponse, WatchFrame, WatchSink } from "../request/api-response.ts";
import type { HttpRequest } from "./http-request.ts";

/** What an HTTP/1.1 response and an HTTP/2 stream have in common, for writing an answer. */
export interface AnswerStream {
  head(status: number, headers: Record<string, string | readonly string[]>): void;
  write(bytes: Uint8Array): void;
  end(bytes?: Uint8Array): void;
  /** Bytes that the client has not taken yet. */
  readonly pendingBytes: number;
  readonly isClosed: boolean;
  onClose(callback: () => void): void;
}

const gzipAsync = promisify(gzip);

/** Source: kubernetes v1.36 apiserver responsewriters/writers.go: answers from 128 KiB on, at level 1. */
const GZIP_FROM_BYTES = 128 * 1024;
/** A watcher that leaves more than this unread is dropped: it would hold on to ever more events. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** Writes an answer to the client. */
export async function writeAnswer(
  request: HttpRequest,
  response: ApiResponse,
  stream: AnswerStream,
): Promise<void> {
  const { content } = response;
  if (content.kind === "watch") {
    stream.head(200, headersOf(request, response, "application/json"));
    content.open(createWatchSink(stream));
    return;
  }
  const isRaw = content.kind === "raw";
  let bytes: Uint8Array;
  if (isRaw) bytes = content.bytes;
  else if (content.kind === "lazy") bytes = content.bytes();
  else bytes = content.bytes ?? Buffer.from(`${stringifyJson(content.value)}\n`);
  const headers = headersOf(request, response, contentTypeOf(content));
  if (bytes.length >= GZIP_FROM_BYTES && /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) {
    bytes = await gzipAsync(bytes, { level: constants.Z_BEST_SPEED });
    headers["content-encoding"] = "gzip";
    headers["vary"] = "Accept-Encoding";
  }
  if (stream.isClosed) return;
  headers["content-length"] = String(bytes.length);
  stream.head(response.status, headers);
  stream.end(request.method === "HEAD" ? undefined : bytes);
}

function contentTypeOf(content: ApiResponse["content"]): string {
  if (content.kind === "raw") return content.contentType;
  return (content.kind === "object" ? content.contentType : undefined) ?? "application/json";
}

function headersOf(
  request: HttpRequest,
  response: ApiResponse,
  contentType: string,
): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {
    "content-type": contentType,
    "cache-control": "no-cache, private",
    ...response.headers,
  };
  if (request.warnings.length > 0) headers["warning"] = request.warnings.map(formatWarning);
  return headers;
}

/** Source: RFC 7234 5.5 and apimachinery/pkg/util/net/http.go, NewWarningHeader: code 299, agent `-`. */
function formatWarning(text: string): string {
  const safe = text.replace(/[^\x20-\x7e]/g, " ").replace(/[\\"]/g, "\\$&");
  return `299 - "${safe}"`;
}

function createWatchSink(stream: AnswerStream): WatchSink {
  let pending: Uint8Array[] = [];
  const flush = (): void => {
    if (pending.length === 0 || stream.isClosed) return;
    const chunks = pending;
    pending = [];
    stream.write(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  };
  return {
    send(frame: WatchFrame): boolean {
      if (stream.isClosed || stream.pendingBytes > MAX_UNREAD_BYTES) return false;
      pending.push(frame.bytes()); // Events of one batch share a write.
      return true;
    },
    flush,
    end(): void {
      flush();
      if (!stream.isClosed) stream.end();
    },
    onClose: (callback) => stream.onClose(callback),
  };
}
