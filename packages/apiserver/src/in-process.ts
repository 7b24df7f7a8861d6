import { type Status, StatusError } from "@binnacle/apimachinery";
import { runPipeline, STAGES_IN_PROCESS } from "./pipeline/pipeline.ts";
import type { ApiServerCore } from "./registry/api-server-core.ts";
import type { ApiResponse, WatchFrame } from "./request/api-response.ts";
import type { RequestContext, RequestHeaders } from "./request/request-context.ts";
import { parseRequestInfo } from "./request/request-info.ts";
import type { UserInfo } from "./request/user-info.ts";

/** A request from the same process: a path and a parsed body, no bytes. */
export interface InProcessRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly user: UserInfo;
  readonly userAgent: string;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  /** A JSON value. It is read, never kept. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface InProcessResponse {
  readonly status: number;
  /** Frozen where it is a stored object. */
  readonly body: unknown;
  readonly warnings: readonly string[];
}

/** Receives the events of a watch from the same process, synchronously and in order. */
export interface InProcessWatcher {
  onEvent(event: { type: WatchFrame["type"]; object: unknown }): void;
  onEnd(): void;
}

/** Answers a request. Throws the StatusError of an answer of 400 and above. */
export async function requestInProcess(
  core: ApiServerCore,
  request: InProcessRequest,
): Promise<InProcessResponse> {
  const context = toContext(request);
  core.activity.begin();
  try {
    const response = await runPipeline(core, context, STAGES_IN_PROCESS);
    const body = valueOf(response);
    if (response.status >= 400) throw toError(response, body);
    return { status: response.status, body, warnings: context.warnings };
  } finally {
    core.activity.end();
  }
}

/** Opens a watch. Throws the StatusError of a refusal. The returned function ends it; nothing is called afterwards. */
export async function watchInProcess(
  core: ApiServerCore,
  request: InProcessRequest,
  watcher: InProcessWatcher,
): Promise<() => void> {
  const context = toContext(request);
  core.activity.begin();
  try {
    const response = await runPipeline(core, context, STAGES_IN_PROCESS);
    if (response.content.kind !== "watch") throw toError(response, valueOf(response));
    let isOpen = true;
    let close: () => void = () => {};
    response.content.open({
      send: (frame) => {
        if (isOpen) watcher.onEvent({ type: frame.type, object: frame.object() });
        return isOpen;
      },
      flush: () => {},
      end: () => {
        if (!isOpen) return;
        isOpen = false;
        watcher.onEnd();
      },
      onClose: (callback) => {
        close = callback;
      },
    });
    return () => {
      if (!isOpen) return;
      isOpen = false;
      close();
    };
  } finally {
    core.activity.end();
  }
}

function toContext(request: InProcessRequest): RequestContext {
  const { method, path, query, user, body } = request;
  return {
    method,
    query,
    headers: new FixedHeaders(request),
    body: body === undefined ? { kind: "none" } : { kind: "value", value: body },
    signal: request.signal ?? NEVER,
    info: parseRequestInfo(method, path, query),
    user,
    warnings: [],
    answerHeaders: {},
  };
}

const NEVER: AbortSignal = new AbortController().signal;

class FixedHeaders implements RequestHeaders {
  readonly #request: InProcessRequest;

  constructor(request: InProcessRequest) {
    this.#request = request;
  }

  get(name: string): string | undefined {
    switch (name) {
      case "accept":
        return this.#request.accept;
      case "content-type":
        return this.#request.contentType;
      case "user-agent":
        return this.#request.userAgent;
      default:
        return undefined;
    }
  }

  all(): readonly string[] {
    return [];
  }

  names(): Iterable<string> {
    return [];
  }
}

function valueOf(response: ApiResponse): unknown {
  const { content } = response;
  switch (content.kind) {
    case "object":
      return content.value;
    case "lazy":
    case "pieces":
      return content.value();
    case "raw": {
      const text = Buffer.from(content.bytes).toString("utf8");
      return content.contentType.startsWith("application/json") ? JSON.parse(text) : text;
    }
    case "watch":
      return undefined;
  }
}

function toError(response: ApiResponse, body: unknown): StatusError {
  if (typeof body === "object" && body !== null) return new StatusError(body as Status); // Failures are Status objects.
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: String(body),
    reason: response.status === 404 ? "NotFound" : "",
    code: response.status,
  });
}
