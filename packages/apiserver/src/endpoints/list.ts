import {
  badRequest,
  resourceExpired,
  type StatusError,
  statusError,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import { sleep, stringifyJson } from "@binnacle/base";
import { CompactedError, type Entry } from "@binnacle/storage";
import { notAcceptable, type Representation } from "../negotiation/accept.ts";
import { bytesIn, headLength, objectIn } from "../negotiation/encode.ts";
import { parseIncludeObject, toPartialMetadata, toTable } from "../negotiation/table.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { ServedResource } from "../registry/resource-registry.ts";
import { objectOf } from "../registry/stored-object.ts";
import type { ApiResponse, ByteSource } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import { type ContinueToken, decodeContinueToken, encodeContinueToken } from "./continue-token.ts";
import { encodeObject, goPackage, negotiateFor } from "./get.ts";
import {
  type ListOptions,
  parseListOptions,
  parseResourceVersion,
  validateListOptions,
} from "./list-options.ts";
import { type Selection, select } from "./selection.ts";

/** How long a list for a version that is not there yet waits. Source: apiserver/pkg/storage/cacher blockTimeout. */
const FUTURE_VERSION_WAIT_MS = 3_000;

/** GET of a collection. */
export async function list(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
): Promise<ApiResponse> {
  const representation = negotiateFor(request, true);
  const options = parseListOptions(request.query, false);
  validateListOptions(options, false);
  const selection = select(served, request.info, options);
  const includeObject = parseIncludeObject(request.query.get("includeObject"));
  await core.storage.refresh();
  const page = await readPage(core, served, selection, options, request.signal);
  return respondWithPage(core, served, page, { representation, includeObject });
}

/** A page of a list. */
export interface Page {
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly continueToken: string;
  readonly remaining: number | undefined;
}

/**
 * Reads one page. Throws 410 for versions that are no longer kept and 504 for ones that do not come.
 *
 * Source: kubernetes v1.36 apiserver/pkg/storage/etcd3/store.go, GetList.
 */
export async function readPage(
  core: ApiServerCore,
  served: ServedResource,
  selection: Selection,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Page> {
  const { storage } = core;
  const asked = parseResourceVersion(options.resourceVersion);
  // Version 0 is answered from upstream's cache, which gives everything at once.
  const limit = options.resourceVersion === "0" ? 0 : options.limit;
  let revision: number | undefined;
  let after: string | undefined;
  if (options.continueToken !== "") {
    if (options.resourceVersion !== "" && options.resourceVersion !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    const token = decodeContinueToken(options.continueToken);
    revision = token.revision > 0 ? token.revision : undefined;
    after = served.keyPrefix + token.after;
  } else if (asked > 0) {
    if (asked > storage.revision) await waitForRevision(core, asked, signal);
    const isExact =
      options.resourceVersionMatch === "Exact" || (options.resourceVersionMatch === "" && options.limit > 0);
    if (isExact) revision = asked;
  }
  try {
    return collect(core, served, selection, { revision, after, limit });
  } catch (error) {
    if (error instanceof CompactedError) throw expired(served, after);
    throw error;
  }
}

function collect(
  core: ApiServerCore,
  served: ServedResource,
  selection: Selection,
  position: { revision: number | undefined; after: string | undefined; limit: number },
): Page {
  const { storage } = core;
  const { limit } = position;
  const revision = position.revision ?? storage.revision;
  if (selection.singleKey !== undefined) {
    const entry = storage.get(selection.singleKey, { revision: position.revision });
    const entries = entry !== undefined && selection.matches(entry) ? [entry] : [];
    return { entries, revision, continueToken: "", remaining: undefined };
  }
  const entries: Entry[] = [];
  let { after } = position;
  for (;;) {
    const wanted = limit > 0 ? limit - entries.length : undefined;
    const range = storage.range({
      prefix: selection.prefix,
      after,
      limit: wanted,
      revision: position.revision,
    });
    for (const entry of range.entries)
      if (!selection.isFiltered || selection.matches(entry)) entries.push(entry);
    after = range.entries.at(-1)?.key ?? after;
    const isFull = limit > 0 && entries.length >= limit;
    if (range.remaining === 0) return { entries, revision, continueToken: "", remaining: undefined };
    if (isFull) {
      const token = { revision, after: (after ?? "").slice(served.keyPrefix.length) };
      const remaining = selection.isFiltered ? undefined : range.remaining;
      return { entries, revision, continueToken: encodeContinueToken(token), remaining };
    }
  }
}

function expired(served: ServedResource, after: string | undefined): StatusError {
  if (after === undefined) return resourceExpired("The resourceVersion for the provided list is too old.");
  const token: ContinueToken = { revision: -1, after: after.slice(served.keyPrefix.length) };
  const error = resourceExpired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
  );
  error.status.metadata = { continue: encodeContinueToken(token) };
  return error;
}

async function waitForRevision(core: ApiServerCore, revision: number, signal: AbortSignal): Promise<void> {
  const giveUp = new AbortController();
  const arrived = new Promise<void>((resolve) => {
    const stop = core.watchHub.whenRevision(revision, resolve);
    giveUp.signal.addEventListener("abort", stop, { once: true });
  });
  const timeout = sleep(core.clock, FUTURE_VERSION_WAIT_MS, AbortSignal.any([signal, giveUp.signal])).then(
    () => "late" as const,
    () => "aborted" as const,
  );
  const outcome = await Promise.race([arrived.then(() => "arrived" as const), timeout]);
  giveUp.abort();
  if (outcome === "arrived") return;
  throw statusError(
    504,
    "Timeout",
    `Too large resource version: ${revision}, current: ${core.storage.revision}`,
    {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  );
}

function respondWithPage(
  core: ApiServerCore,
  served: ServedResource,
  page: Page,
  form: { representation: Representation; includeObject: ReturnType<typeof parseIncludeObject> },
): ApiResponse {
  const { representation } = form;
  const metadata = listMetadata(page);
  const objects = (): UnstructuredObject[] => page.entries.map((entry) => objectIn(served, entry));
  switch (representation.as) {
    case "object": {
      const value = (): unknown => ({
        kind: served.listKind,
        apiVersion: served.apiVersion,
        metadata,
        items: objects(),
      });
      if (representation.mediaType === "application/json" && !representation.isPretty) {
        return {
          status: 200,
          content: { kind: "pieces", value, pieces: () => new ListBytes(served, page, metadata) },
        };
      }
      return encodeObject(
        core,
        200,
        { ...(value() as object), items: objects().map((item) => withoutType(served, item)) },
        representation,
      );
    }
    case "PartialObjectMetadataList": {
      const apiVersion = `meta.k8s.io/${representation.version}`;
      const items = objects().map((object) => toPartialMetadata(object, apiVersion));
      return encodeObject(
        core,
        200,
        { kind: "PartialObjectMetadataList", apiVersion, metadata, items },
        representation,
      );
    }
    case "PartialObjectMetadata":
      throw notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (*${goPackage(served)}.${served.listKind})`,
      );
    case "Table": {
      const items = page.entries.map((entry) => ({ hub: objectOf(entry), object: objectIn(served, entry) }));
      const { version } = representation;
      const options = { version, includeObject: form.includeObject, nowMs: core.clock.now() };
      return encodeObject(core, 200, toTable(served, items, metadata, options), representation);
    }
  }
}

function listMetadata(page: Page): Record<string, unknown> {
  const metadata: Record<string, unknown> = { resourceVersion: String(page.revision) };
  if (page.continueToken !== "") metadata["continue"] = page.continueToken;
  if (page.remaining !== undefined) metadata["remainingItemCount"] = page.remaining;
  return metadata;
}

/** Items of built-in lists carry no kind and apiVersion: in Go the list's type says what they are. */
function withoutType(served: ServedResource, object: UnstructuredObject): UnstructuredObject {
  if (!omitsItemTypes(served)) return object;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}

function omitsItemTypes(served: ServedResource): boolean {
  return served.schema.goName !== undefined && served.schema.goName !== "";
}

const ITEM_START = Buffer.from("{");
const NEXT_ITEM_START = Buffer.from(",{");
const LIST_END = Buffer.from("]}\n");

/** The list's JSON out of the stored bytes of its items, each copied once. */
class ListBytes implements ByteSource {
  readonly size: number;
  readonly #head: Uint8Array;
  readonly #items: readonly Uint8Array[];
  /** Bytes that are left out at the start of each item. */
  readonly #skip: number;
  /** The piece that comes next - the head, then what starts an item and the item, in turn, then the end. */
  #piece = 0;
  #offset = 0;

  constructor(served: ServedResource, page: Page, metadata: Record<string, unknown>) {
    this.#head = Buffer.from(
      `{"kind":${JSON.stringify(served.listKind)},"apiVersion":${JSON.stringify(served.apiVersion)},"metadata":${stringifyJson(metadata)},"items":[`,
    );
    this.#skip = omitsItemTypes(served) ? headLength(served.kind, served.apiVersion) : 1;
    this.#items = page.entries.map((entry) => bytesIn(served, entry));
    let size = this.#head.length + LIST_END.length - (this.#items.length > 0 ? 1 : 0);
    for (const item of this.#items) size += NEXT_ITEM_START.length + item.length - this.#skip;
    this.size = size;
  }

  read(target: Buffer): number {
    let at = 0;
    while (this.#piece <= this.#lastPiece) {
      const piece = this.#pieceAt(this.#piece);
      const end = Math.min(piece.length, this.#offset + target.length - at);
      target.set(piece.subarray(this.#offset, end), at);
      at += end - this.#offset;
      this.#offset = end;
      if (end < piece.length) return at; // The target is full.
      this.#piece++;
      this.#offset = this.#isItem(this.#piece) ? this.#skip : 0;
    }
    return at;
  }

  get #lastPiece(): number {
    return 1 + 2 * this.#items.length;
  }

  #isItem(piece: number): boolean {
    return piece > 0 && piece % 2 === 0;
  }

  #pieceAt(piece: number): Uint8Array {
    if (piece === 0) return this.#head;
    if (piece === this.#lastPiece) return LIST_END;
    if (this.#isItem(piece)) return this.#items[piece / 2 - 1]!;
    return piece === 1 ? ITEM_START : NEXT_ITEM_START;
  }
}
