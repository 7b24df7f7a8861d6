import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { stringifyJson } from "@binnacle/base";
import type { ApiResponse, ByteSource } from "../request/api-response.ts";
import type { HttpRequest } from "./http-request.ts";
import type { WatchWriter } from "./watch-writer.ts";

/** What an HTTP/1.1 response and an HTTP/2 stream have in common, for writing an answer. */
export interface AnswerStream {
  head(status: number, headers: Record<string, string | readonly string[]>): void;
  /** `done` is called when the bytes may be changed again, or when nobody will read them. */
  write(bytes: Uint8Array, done?: () => void): void;
  end(bytes?: Uint8Array): void;
  /** Bytes that the client has not taken yet. */
  readonly pendingBytes: number;
  readonly isClosed: boolean;
  onClose(callback: () => void): void;
}

const gzipAsync = promisify(gzip);

/** Source: kubernetes v1.36 apiserver responsewriters/writers.go: answers from 128 KiB on, at level 1. */
const GZIP_FROM_BYTES = 128 * 1024;

/** Larger bodies that come in pieces are written through buffers of this size. */
const PIECE_BYTES = 256 * 1024;
/** While one buffer is on its way the next is filled. */
const PIECES_UNDER_WAY = 2;
/** Buffers kept for the next large body. */
const MAX_PIECE_BUFFERS = 8;
const pieceBuffers: Buffer[] = [];

/** Writes an answer to the client. */
export async function writeAnswer(
  request: HttpRequest,
  response: ApiResponse,
  stream: AnswerStream,
  watchWriter: WatchWriter,
): Promise<void> {
  const { content } = response;
  if (content.kind === "watch") {
    stream.head(200, headersOf(request, response, contentTypeOf(content)));
    content.open(watchWriter.createSink(stream));
    return;
  }
  const body = content.kind === "pieces" ? content.pieces() : bytesOf(content);
  const size = body instanceof Uint8Array ? body.length : body.size;
  const headers = headersOf(request, response, contentTypeOf(content));
  if (size >= GZIP_FROM_BYTES && /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) {
    headers["content-encoding"] = "gzip";
    headers["vary"] = "Accept-Encoding";
    const packed = await gzipAsync(wholeOf(body), { level: constants.Z_BEST_SPEED });
    return writeBody(request, response, stream, headers, packed);
  }
  return writeBody(request, response, stream, headers, size <= PIECE_BYTES ? wholeOf(body) : body);
}

async function writeBody(
  request: HttpRequest,
  response: ApiResponse,
  stream: AnswerStream,
  headers: Record<string, string | readonly string[]>,
  body: Uint8Array | ByteSource,
): Promise<void> {
  if (stream.isClosed) return;
  const isWhole = body instanceof Uint8Array;
  headers["content-length"] = String(isWhole ? body.length : body.size);
  stream.head(response.status, headers);
  if (request.method === "HEAD") stream.end();
  else if (isWhole) stream.end(body);
  else await writePieces(body, stream);
}

/**
 * Writes a large body through a few buffers, as fast as the client takes it: what is read does not grow with the
 * size of the body, and the collector has nothing to do for it.
 */
async function writePieces(source: ByteSource, stream: AnswerStream): Promise<void> {
  const closed = new Promise<void>((resolve) => stream.onClose(resolve));
  const writeInTurn = async (): Promise<void> => {
    const buffer = pieceBuffers.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
    while (!stream.isClosed) {
      const count = source.read(buffer);
      if (count === 0) {
        if (pieceBuffers.length < MAX_PIECE_BUFFERS) pieceBuffers.push(buffer);
        return;
      }
      const taken = new Promise<void>((resolve) => stream.write(buffer.subarray(0, count), resolve));
      await Promise.race([taken, closed]);
    }
    // The client went away, perhaps while the buffer was being sent: it is not used again.
  };
  await Promise.all(Array.from({ length: PIECES_UNDER_WAY }, writeInTurn));
  if (!stream.isClosed) stream.end();
}

function bytesOf(content: Exclude<ApiResponse["content"], { kind: "pieces" | "watch" }>): Uint8Array {
  switch (content.kind) {
    case "raw":
      return content.bytes;
    case "lazy":
      return content.bytes();
    case "object":
      return content.bytes ?? Buffer.from(`${stringifyJson(content.value)}\n`);
  }
}

function wholeOf(body: Uint8Array | ByteSource): Uint8Array {
  if (body instanceof Uint8Array) return body;
  const whole = Buffer.allocUnsafe(body.size);
  body.read(whole);
  return whole;
}

function contentTypeOf(content: ApiResponse["content"]): string {
  return ("contentType" in content ? content.contentType : undefined) ?? "application/json";
}

function headersOf(
  request: HttpRequest,
  response: ApiResponse,
  contentType: string,
): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {
    "content-type": contentType,
    "cache-control": "no-cache, private",
    ...request.answerHeaders,
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
