import { resourceExpired, type Schema, type Status, type UnstructuredObject } from "@binnacle/apimachinery";
import { stringifyJson, type Timer } from "@binnacle/base";
import { CompactedError, type Entry } from "@binnacle/storage";
import { notAcceptable, PROTOBUF, type Representation } from "../negotiation/accept.ts";
import { bytesIn, objectIn } from "../negotiation/encode.ts";
import { toProtobufFrame } from "../negotiation/protobuf.ts";
import { parseIncludeObject, toPartialMetadata, toTable } from "../negotiation/table.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { ServedResource } from "../registry/resource-registry.ts";
import { objectOf } from "../registry/stored-object.ts";
import { type ApiResponse, sharedFrame, type WatchFrame, type WatchSink } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { HubEvent } from "../watch-cache/watch-hub.ts";
import { goPackage, negotiateFor } from "./get.ts";
import {
  type ListOptions,
  parseListOptions,
  parseResourceVersion,
  validateListOptions,
} from "./list-options.ts";
import { type Selection, select } from "./selection.ts";

/** A watch without timeoutSeconds ends after 30 to 60 minutes. Source: kube-apiserver --min-request-timeout. */
const MIN_TIMEOUT_SECONDS = 1_800;
/** Source: apiserver/pkg/storage/cacher/cacher.go, bookmarkFrequency. */
const BOOKMARK_PERIOD_MS = 60_000;
/** A last bookmark is sent this long before the watch ends. Source: cacher.go, bookmarkFrequency comments. */
const LAST_BOOKMARK_MS = 2_000;

/** GET of a collection with `watch`. */
export async function watch(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
): Promise<ApiResponse> {
  const representation = negotiateFor(request, true);
  if (representation.as === "PartialObjectMetadataList") {
    throw notAcceptable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (*${goPackage(served)}.${served.kind})`,
    );
  }
  if (representation.mediaType === "application/yaml") throw notAcceptable(STREAMS_ONLY);
  const options = parseListOptions(request.query, true);
  validateListOptions(options, true);
  const selection = select(served, request.info, options);
  const includeObject = parseIncludeObject(request.query.get("includeObject"));
  const afterRevision = parseResourceVersion(options.resourceVersion);
  await core.storage.refresh();
  const isProtobuf = representation.mediaType === PROTOBUF;
  if (isProtobuf && representation.as === "Table") throw notAcceptable(STREAMS_ONLY);
  const shape: FrameShape = {
    core,
    served,
    representation,
    includeObject,
    frameKeys: frameKeysOf(served, representation),
    encode: isProtobuf ? (type, object) => toProtobufFrame(core, type, object) : encodeLine,
  };
  const plan: WatchPlan = { selection, options, afterRevision };
  return {
    status: 200,
    content: {
      kind: "watch",
      contentType: isProtobuf ? `${PROTOBUF};stream=watch` : "application/json",
      open: (sink) => new WatchSession(shape, plan, sink).start(),
    },
  };
}

const STREAMS_ONLY =
  "only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

interface FrameShape {
  readonly core: ApiServerCore;
  readonly served: ServedResource;
  readonly representation: Representation;
  readonly includeObject: ReturnType<typeof parseIncludeObject>;
  /** Where frames of this shape are kept on an event. */
  readonly frameKeys: Readonly<Record<EventType | "LEFT", string>>;
  /** One event in the media type of this watch. */
  readonly encode: (type: EventType, object: unknown) => Uint8Array;
}

function frameKeysOf({ apiVersion }: ServedResource, { mediaType }: Representation): FrameShape["frameKeys"] {
  const form = `${apiVersion} ${mediaType}`;
  return {
    ADDED: `ADDED ${form}`,
    MODIFIED: `MODIFIED ${form}`,
    DELETED: `DELETED ${form}`,
    LEFT: `LEFT ${form}`,
    BOOKMARK: "",
    ERROR: "",
  };
}

interface WatchPlan {
  readonly selection: Selection;
  readonly options: ListOptions;
  readonly afterRevision: number;
}

/** One open watch. */
class WatchSession {
  readonly #shape: FrameShape;
  readonly #plan: WatchPlan;
  readonly #sink: WatchSink;
  #stop: () => void = () => {};
  #timers: Timer[] = [];
  #isOpen = true;
  #sentDefinitions = false;

  constructor(shape: FrameShape, plan: WatchPlan, sink: WatchSink) {
    this.#shape = shape;
    this.#plan = plan;
    this.#sink = sink;
  }

  start(): void {
    const { core, served } = this.#shape;
    const { selection, options, afterRevision } = this.#plan;
    this.#sink.onClose(() => this.#close());
    const wantsInitial = options.sendInitialEvents === true;
    const fromNow = wantsInitial || afterRevision === 0;
    try {
      const subscription = core.watchHub.subscribe({
        resourcePrefix: served.keyPrefix,
        prefix: selection.prefix,
        afterRevision: fromNow ? undefined : afterRevision,
        onEvents: (events) => this.#sendEvents(events),
      });
      this.#stop = subscription.stop;
      if (wantsInitial) this.#sendInitial();
      this.#sendEvents(subscription.past);
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      const { status } = resourceExpired(
        `too old resource version: ${afterRevision} (${error.compactedRevision})`,
      );
      this.#send(errorFrame(this.#shape, status));
      this.#end();
      return;
    }
    this.#startTimers();
  }

  #sendInitial(): void {
    const { core, served } = this.#shape;
    const { selection, options } = this.#plan;
    const { revision } = core.storage;
    const entries =
      selection.singleKey !== undefined
        ? [core.storage.get(selection.singleKey)].filter((entry) => entry !== undefined)
        : core.storage.range({ prefix: selection.prefix }).entries;
    for (const entry of entries) {
      if (!selection.matches(entry)) continue;
      if (!this.#send(frameOf(this.#shape, "ADDED", entry, undefined, this.#takeDefinitions()))) return;
    }
    if (options.sendInitialEvents === true && options.allowWatchBookmarks) {
      this.#send(bookmarkFrame(served, this.#shape, revision, true));
    }
    this.#sink.flush();
  }

  #sendEvents(events: readonly HubEvent[]): void {
    const { selection } = this.#plan;
    for (const event of events) {
      if (!this.#isOpen) return;
      if (event.revision <= this.#plan.afterRevision) continue; // The watch started in the future.
      const frame = this.#frameFor(event, selection);
      if (frame !== undefined && !this.#send(frame)) return;
    }
    this.#sink.flush();
  }

  /** What an event is to this watcher: an object may enter or leave the selection. */
  #frameFor(event: HubEvent, selection: Selection): WatchFrame | undefined {
    const { entry, previous, deleted } = event;
    const isIn = !deleted && selection.matches(entry);
    const wasIn = previous !== undefined && selection.matches(previous);
    if (isIn)
      return frameOf(this.#shape, wasIn ? "MODIFIED" : "ADDED", entry, event.frames, this.#takeDefinitions());
    if (!wasIn) return undefined;
    if (deleted) return frameOf(this.#shape, "DELETED", entry, event.frames, this.#takeDefinitions());
    return leavingFrame(this.#shape, previous, event, this.#takeDefinitions());
  }

  #takeDefinitions(): boolean {
    const isFirst = !this.#sentDefinitions;
    this.#sentDefinitions = true;
    return isFirst;
  }

  #startTimers(): void {
    const { core, served } = this.#shape;
    const { options } = this.#plan;
    const timeoutMs =
      1_000 * (options.timeoutSeconds ?? MIN_TIMEOUT_SECONDS + MIN_TIMEOUT_SECONDS * core.random.next());
    this.#timers.push(core.clock.setTimer(timeoutMs, () => this.#end()));
    if (!options.allowWatchBookmarks) return;
    const sendBookmark = (): void => {
      this.#send(bookmarkFrame(served, this.#shape, core.storage.revision, false));
      this.#sink.flush();
    };
    if (timeoutMs > LAST_BOOKMARK_MS) {
      this.#timers.push(core.clock.setTimer(timeoutMs - LAST_BOOKMARK_MS, sendBookmark));
    }
    const repeat = (): void => {
      sendBookmark();
      if (this.#isOpen) this.#timers[2] = core.clock.setTimer(BOOKMARK_PERIOD_MS, repeat);
    };
    this.#timers[2] = core.clock.setTimer(BOOKMARK_PERIOD_MS, repeat);
  }

  #send(frame: WatchFrame): boolean {
    if (!this.#isOpen) return false;
    if (this.#sink.send(frame)) return true;
    this.#end(); // Too slow: it would hold on to ever more events.
    return false;
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#close();
    this.#sink.end();
  }

  #close(): void {
    this.#isOpen = false;
    this.#stop();
    for (const timer of this.#timers) timer?.cancel();
    this.#timers = [];
  }
}

type EventType = WatchFrame["type"];

const HEADS: ReadonlyMap<EventType, Buffer> = new Map(
  (["ADDED", "MODIFIED", "DELETED"] as const).map((type) => [
    type,
    Buffer.from(`{"type":"${type}","object":`),
  ]),
);
const TAIL = Buffer.from("}\n");

/** A frame that shows an entry. `frames` keeps it for the next watcher with the same representation. */
function frameOf(
  shape: FrameShape,
  type: EventType,
  entry: Entry,
  frames: Map<string, WatchFrame> | undefined,
  hasDefinitions: boolean,
): WatchFrame {
  const { served, representation } = shape;
  if (representation.as !== "object") {
    return transformedFrame(
      shape,
      type,
      { hub: objectOf(entry), object: objectIn(served, entry) },
      hasDefinitions,
    );
  }
  const key = shape.frameKeys[type];
  const known = frames?.get(key);
  if (known !== undefined) return known;
  const frame = sharedFrame(
    type,
    () => objectIn(served, entry),
    representation.mediaType === PROTOBUF
      ? () => shape.encode(type, objectIn(served, entry))
      : () => Buffer.concat([HEADS.get(type)!, bytesIn(served, entry), TAIL]),
  );
  frames?.set(key, frame);
  return frame;
}

/** An object that no longer matches leaves with its last matching state and the version at which it left. */
function leavingFrame(
  shape: FrameShape,
  previous: Entry,
  event: HubEvent,
  hasDefinitions: boolean,
): WatchFrame {
  const { served, representation } = shape;
  const known = representation.as === "object" ? event.frames.get(shape.frameKeys.LEFT) : undefined;
  if (known !== undefined) return known;
  const last = objectIn(served, previous);
  const object = { ...last, metadata: { ...last.metadata, resourceVersion: String(event.revision) } };
  if (representation.as !== "object") {
    return transformedFrame(shape, "DELETED", { hub: objectOf(previous), object }, hasDefinitions);
  }
  const frame = sharedFrame(
    "DELETED",
    () => object,
    () => shape.encode("DELETED", object),
  );
  event.frames.set(shape.frameKeys.LEFT, frame);
  return frame;
}

function transformedFrame(
  shape: FrameShape,
  type: EventType,
  item: { hub: UnstructuredObject; object: UnstructuredObject },
  hasDefinitions: boolean,
): WatchFrame {
  const { served, representation, core, includeObject } = shape;
  const { version } = representation;
  const object = (): unknown => {
    if (representation.as === "PartialObjectMetadata")
      return toPartialMetadata(item.object, `meta.k8s.io/${version}`);
    const { resourceVersion } = item.object.metadata;
    const metadata = resourceVersion === undefined ? {} : { resourceVersion };
    return toTable(served, [item], metadata, {
      version,
      includeObject,
      nowMs: core.clock.now(),
      hasDefinitions,
    });
  };
  return { type, object, bytes: () => shape.encode(type, object()) };
}

function bookmarkFrame(
  served: ServedResource,
  shape: FrameShape,
  revision: number,
  isInitialEnd: boolean,
): WatchFrame {
  const { representation } = shape;
  const metadata: Record<string, unknown> = { resourceVersion: String(revision) };
  if (isInitialEnd) metadata["annotations"] = { "k8s.io/initial-events-end": "true" };
  let object: Record<string, unknown> = { ...emptyObject(served), metadata };
  if (representation.as === "PartialObjectMetadata") {
    object = { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${representation.version}`, metadata };
  } else if (representation.as === "Table") {
    object = toTable(
      served,
      [],
      { resourceVersion: String(revision) },
      {
        version: representation.version,
        includeObject: shape.includeObject,
        nowMs: 0,
        hasDefinitions: false,
      },
    );
  }
  return { type: "BOOKMARK", object: () => object, bytes: () => shape.encode("BOOKMARK", object) };
}

/** Go writes an empty struct of the kind: fields that are always written appear in bookmarks too. */
function emptyObject(served: ServedResource): Record<string, unknown> {
  const object: Record<string, unknown> = { kind: served.kind, apiVersion: served.apiVersion };
  for (const [name, field] of served.schema.fields) {
    if (field.omit !== "never" || name === "metadata") continue;
    object[name] = zeroOf(field.schema);
  }
  return object;
}

function zeroOf(schema: Schema): unknown {
  switch (schema.type) {
    case "object": {
      const value: Record<string, unknown> = {};
      for (const [name, field] of schema.fields)
        if (field.omit === "never") value[name] = zeroOf(field.schema);
      return value;
    }
    case "string":
      return "";
    case "integer":
    case "number":
      return 0;
    case "boolean":
      return false;
    default:
      return null;
  }
}

function errorFrame(shape: FrameShape, status: Status): WatchFrame {
  return { type: "ERROR", object: () => status, bytes: () => shape.encode("ERROR", status) };
}

function encodeLine(type: EventType, object: unknown): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${stringifyJson(object)}}\n`);
}
