/**
 * For the tests of this package alone: just enough of an API server to list, watch and write, without any rule of any
 * kind. Everything above is tested against the real server, in `@binnacle/envtest`.
 */
import {
  alreadyExists,
  badRequest,
  conflict,
  type KubeObject,
  notFound,
  OBJECT_MODIFIED,
  resourceExpired,
} from "@binnacle/apimachinery";
import { cloneJson, deepFreeze } from "@binnacle/base";
import type {
  ClientRequest,
  ClientResponse,
  Transport,
  WatchEvent,
  WatchHandler,
  WatchSubscription,
} from "@binnacle/client";

interface Address {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

interface Watcher {
  readonly resource: string;
  readonly namespace: string;
  readonly handler: WatchHandler;
}

export class MemoryTransport implements Transport {
  /** Every request, as `GET pods` or `PUT pods/a/web`. */
  readonly requests: string[] = [];
  /** Throws in place of an answer. */
  fail: (request: ClientRequest) => Error | undefined = () => undefined;
  /** History before this is gone. */
  compactedAt = 0;
  readonly #objects = new Map<string, KubeObject>();
  readonly #log: { resource: string; revision: number; event: WatchEvent }[] = [];
  readonly #watchers = new Set<Watcher>();
  #revision = 10;

  get watcherCount(): number {
    return this.#watchers.size;
  }

  async request(request: ClientRequest): Promise<ClientResponse> {
    request.signal?.throwIfAborted();
    const address = parsePath(request.path);
    this.requests.push(
      `${request.method} ${[address.resource, address.namespace, address.name].filter(Boolean).join("/")}`,
    );
    const failure = this.fail(request);
    if (failure !== undefined) throw failure;
    return { status: 200, body: this.#answer(request, address), warnings: [] };
  }

  async watch(request: ClientRequest, handler: WatchHandler): Promise<WatchSubscription> {
    const { resource, namespace } = parsePath(request.path);
    this.requests.push(`WATCH ${resource} ${request.query?.["resourceVersion"]}`);
    const failure = this.fail(request);
    if (failure !== undefined) throw failure;
    const after = Number(request.query?.["resourceVersion"]);
    if (after < this.compactedAt) throw resourceExpired("too old resource version");
    const watcher = { resource, namespace, handler };
    for (const entry of this.#log) if (entry.revision > after) send(watcher, entry.resource, entry.event);
    this.#watchers.add(watcher);
    return { stop: () => void this.#watchers.delete(watcher) };
  }

  async close(): Promise<void> {
    this.endWatches();
  }

  /** Ends every watch, as a server does from time to time. */
  endWatches(error?: Error): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const { handler } of watchers) handler.onEnd(error);
  }

  #answer(request: ClientRequest, { resource, namespace, name }: Address): unknown {
    const key = `${resource}/${namespace}/${name}`;
    const present = this.#objects.get(key);
    const body = request.body as KubeObject & { preconditions?: { uid?: string } }; // What this stub is sent.
    switch (request.method) {
      case "GET":
        if (name !== "") return present ?? raise(notFound({ group: "", resource }, name));
        return {
          metadata: { resourceVersion: String(this.#revision) },
          items: [...this.#objects]
            .filter(([each]) => each.startsWith(`${resource}/${namespace === "" ? "" : `${namespace}/`}`))
            .map(([, object]) => object),
        };
      case "POST": {
        const created = body.metadata.name ?? `${body.metadata.generateName}${this.#revision}`;
        const createdKey = `${resource}/${namespace}/${created}`;
        if (this.#objects.has(createdKey)) throw alreadyExists({ group: "", resource }, created);
        const metadata = { ...body.metadata, name: created, uid: `uid-${this.#revision}` };
        return this.#commit(createdKey, "ADDED", { ...body, metadata });
      }
      case "PUT":
      case "PATCH": {
        if (present === undefined) throw notFound({ group: "", resource }, name);
        const updated = request.method === "PUT" ? body : (merge(cloneJson(present), body) as KubeObject); // Merged objects.
        const { resourceVersion } = request.method === "PUT" ? updated.metadata : (body.metadata ?? {});
        if (resourceVersion !== undefined && resourceVersion !== present.metadata.resourceVersion)
          throw conflict({ group: "", resource }, name, OBJECT_MODIFIED);
        return this.#commit(key, "MODIFIED", updated);
      }
      case "DELETE":
        if (present === undefined) throw notFound({ group: "", resource }, name);
        if (body.preconditions?.uid !== undefined && body.preconditions.uid !== present.metadata.uid)
          throw conflict({ group: "", resource }, name, "the uid is another");
        this.#commit(key, "DELETED", present);
        return { kind: "Status", status: "Success" };
      default:
        throw badRequest(`unexpected ${request.method}`);
    }
  }

  #commit(key: string, type: WatchEvent["type"], object: KubeObject): KubeObject {
    const revision = ++this.#revision;
    const metadata = { ...object.metadata, resourceVersion: String(revision) };
    const stored = deepFreeze(cloneJson({ ...object, metadata }));
    if (type === "DELETED") this.#objects.delete(key);
    else this.#objects.set(key, stored);
    const entry = { resource: key.slice(0, key.indexOf("/")), revision, event: { type, object: stored } };
    this.#log.push(entry);
    for (const watcher of [...this.#watchers]) send(watcher, entry.resource, entry.event);
    return stored;
  }
}

function send({ resource, namespace, handler }: Watcher, changed: string, event: WatchEvent): void {
  const object = event.object as KubeObject; // What this stub stores.
  if (changed === resource && (namespace === "" || namespace === object.metadata.namespace))
    handler.onEvent(event);
}

/** `/api/v1/namespaces/a/pods/web/status`, with or without the parts from `namespaces` on. */
function parsePath(path: string): Address {
  const parts = path.split("/").slice(path.startsWith("/apis/") ? 4 : 3);
  const namespace = parts[0] === "namespaces" && parts.length > 2 ? parts[1]! : "";
  const [resource = "", name = ""] = namespace === "" ? parts : parts.slice(2);
  return { resource, namespace, name };
}

function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const object = (typeof target === "object" && target !== null ? target : {}) as Record<string, unknown>; // Plain JSON.
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete object[key];
    else if (value !== undefined) object[key] = merge(object[key], value);
  }
  return object;
}

function raise(error: Error): never {
  throw error;
}
