import {
  isExpired,
  isNotFound,
  type KubeList,
  type KubeObject,
  type ResourceType,
  type Status,
} from "@binnacle/apimachinery";
import {
  type ApplyOptions,
  applyRequest,
  type CallOptions,
  createRequest,
  createSubresourceRequest,
  type DeleteOptions,
  deleteCollectionRequest,
  deleteRequest,
  type GetOptions,
  getRequest,
  type ListOptions,
  listRequest,
  type ObjectRef,
  type Patch,
  type PatchOptions,
  patchRequest,
  type SelectOptions,
  updateRequest,
  updateSubresourceRequest,
  type WatchOptions,
  type WriteOptions,
  watchRequest,
} from "./requests.ts";
import type { Eviction, Scale, TokenRequest } from "./subresource-types.ts";
import type { ClientRequest, Transport, WatchHandler, WatchSubscription } from "./transport/transport.ts";

export interface ClientOptions {
  /** Who owns the fields this client writes. Default: none sent; the server takes the user agent's first part. */
  readonly fieldManager?: string;
  /** The namespace of keys and objects that name none, and of lists. Default: none; lists span all namespaces. */
  readonly namespace?: string;
  /** Default: the server's. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Told every warning the server sends along with an answer. Default: dropped. */
  readonly onWarning?: (text: string) => void;
}

/**
 * The verbs of the Kubernetes API on typed resources. Every call throws `StatusError` for an answer of 400 and above.
 *
 * Objects that come back may be frozen and shared with others: copy before changing.
 */
export interface Client {
  readonly transport: Transport;

  /** One object. Throws NotFound. */
  get<T extends KubeObject>(type: ResourceType<T>, ref: ObjectRef, options?: GetOptions): Promise<T>;
  /** One object, or undefined when it does not exist. */
  find<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    options?: GetOptions,
  ): Promise<T | undefined>;
  /** The selected objects in one answer; with `limit`, one page of them. */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>>;
  /** The selected objects, fetched in pages of `limit` (default 500), or in one when a page has expired meanwhile. */
  listAll<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>>;
  /** Opens a watch; see {@link Transport.watch}. */
  watch(type: ResourceType, options: WatchOptions, handler: WatchHandler): Promise<WatchSubscription>;

  create<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  /** Replaces the object. With a resourceVersion in it, only if that is still the current one (409 otherwise). */
  update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  /** Replaces the status and leaves the rest. */
  updateStatus<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T>;
  patchStatus<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T>;
  /** Server-side apply. Needs a field manager, here or in the client's options. */
  apply<T extends KubeObject>(type: ResourceType<T>, object: T, options?: ApplyOptions): Promise<T>;
  /** Gives the deleted object where the kind or a grace period says so, a Status otherwise. Throws NotFound. */
  delete<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    options?: DeleteOptions,
  ): Promise<T | Status>;
  deleteCollection(
    type: ResourceType,
    options?: SelectOptions & Omit<DeleteOptions, "uid" | "resourceVersion">,
  ): Promise<void>;

  getScale(type: ResourceType, ref: ObjectRef, options?: CallOptions): Promise<Scale>;
  updateScale(type: ResourceType, ref: ObjectRef, scale: Scale, options?: WriteOptions): Promise<Scale>;
  /** Deletes a pod unless a disruption budget forbids it (429). */
  evict(type: ResourceType, ref: ObjectRef, options?: Eviction & WriteOptions): Promise<void>;
  /** Puts a pod on a node. */
  bind(type: ResourceType, ref: ObjectRef, nodeName: string, options?: WriteOptions): Promise<void>;
  /** A token for a service account. */
  createToken(
    type: ResourceType,
    ref: ObjectRef,
    request: TokenRequest,
    options?: WriteOptions,
  ): Promise<TokenRequest>;
  /** Any other subresource. */
  getSubresource(
    type: ResourceType,
    ref: ObjectRef,
    subresource: string,
    options?: CallOptions,
  ): Promise<unknown>;
  createSubresource(
    type: ResourceType,
    ref: ObjectRef,
    subresource: string,
    body: unknown,
    options?: WriteOptions,
  ): Promise<unknown>;
  updateSubresource(
    type: ResourceType,
    ref: ObjectRef,
    subresource: string,
    body: unknown,
    options?: WriteOptions,
  ): Promise<unknown>;

  /** Sends any request; gives the body of the answer. */
  send(request: ClientRequest): Promise<unknown>;
  /** The same client with another default namespace. */
  inNamespace(namespace: string): Client;
  /** The same client with other options. */
  withOptions(options: ClientOptions): Client;
}

/** client-go's page size. Source: kubernetes v1.36 client-go/tools/pager/pager.go, defaultPageSize. */
const DEFAULT_PAGE_SIZE = 500;

/** A client that sends through this transport. Closing the transport is up to whoever made it. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  return new TransportClient(transport, options);
}

class TransportClient implements Client {
  readonly transport: Transport;
  readonly #options: ClientOptions;

  constructor(transport: Transport, options: ClientOptions) {
    this.transport = transport;
    this.#options = options;
  }

  async get<T extends KubeObject>(type: ResourceType<T>, ref: ObjectRef, options?: GetOptions): Promise<T> {
    return this.#object(getRequest(type, this.#place(type, ref), options));
  }

  async find<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    options?: GetOptions,
  ): Promise<T | undefined> {
    try {
      return await this.get(type, ref, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    const body = await this.send(listRequest(type, this.#select(type, options)));
    return body as KubeList<T>; // The server answers a list with a list of the resource asked for.
  }

  async listAll<T extends KubeObject>(
    type: ResourceType<T>,
    options: ListOptions = {},
  ): Promise<KubeList<T>> {
    const limit = options.limit ?? DEFAULT_PAGE_SIZE;
    const first = await this.list(type, { ...options, limit });
    let token = first.metadata.continue ?? "";
    if (token === "") return first;
    const items = [...first.items];
    const { resourceVersion: _, resourceVersionMatch: __, limit: ___, ...rest } = options; // The token has the version.
    while (token !== "") {
      const page = await this.#nextPage(type, { ...rest, limit, continue: token });
      if (page === undefined) return this.list(type, rest);
      items.push(...page.items);
      token = page.metadata.continue ?? "";
    }
    const { continue: ____, remainingItemCount: _____, ...metadata } = first.metadata;
    return { ...first, metadata, items };
  }

  /** Undefined when the token is older than the history the server keeps. */
  async #nextPage<T extends KubeObject>(
    type: ResourceType<T>,
    options: ListOptions,
  ): Promise<KubeList<T> | undefined> {
    try {
      return await this.list(type, options);
    } catch (error) {
      if (isExpired(error)) return undefined;
      throw error;
    }
  }

  watch(type: ResourceType, options: WatchOptions, handler: WatchHandler): Promise<WatchSubscription> {
    return this.transport.watch(watchRequest(type, this.#select(type, options)), handler);
  }

  async create<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T> {
    return this.#object(createRequest(type, this.#placed(type, object), this.#write(options)));
  }

  async update<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T> {
    return this.#object(updateRequest(type, this.#placed(type, object), this.#write(options)));
  }

  async updateStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T> {
    const placed = this.#placed(type, object);
    return this.#object(updateRequest(type, placed, { ...this.#write(options), subresource: "status" }));
  }

  async patch<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T> {
    return this.#object(patchRequest(type, this.#place(type, ref), patch, this.#write(options)));
  }

  patchStatus<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T> {
    return this.patch(type, ref, patch, { ...options, subresource: "status" });
  }

  async apply<T extends KubeObject>(type: ResourceType<T>, object: T, options?: ApplyOptions): Promise<T> {
    const write = this.#write(options);
    const { fieldManager } = write;
    if (fieldManager === undefined) throw new TypeError("apply needs a fieldManager");
    return this.#object(applyRequest(type, this.#placed(type, object), { ...write, fieldManager }));
  }

  async delete<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    options?: DeleteOptions,
  ): Promise<T | Status> {
    const body = await this.send(deleteRequest(type, this.#place(type, ref), options));
    return body as T | Status; // The two answers a DELETE has.
  }

  async deleteCollection(
    type: ResourceType,
    options: SelectOptions & Omit<DeleteOptions, "uid" | "resourceVersion"> = {},
  ): Promise<void> {
    await this.send(deleteCollectionRequest(type, this.#select(type, options)));
  }

  async getScale(type: ResourceType, ref: ObjectRef, options?: CallOptions): Promise<Scale> {
    return (await this.getSubresource(type, ref, "scale", options)) as Scale; // The one kind it answers.
  }

  async updateScale(
    type: ResourceType,
    ref: ObjectRef,
    scale: Scale,
    options?: WriteOptions,
  ): Promise<Scale> {
    return (await this.updateSubresource(type, ref, "scale", scale, options)) as Scale; // As above.
  }

  async evict(type: ResourceType, ref: ObjectRef, options: Eviction & WriteOptions = {}): Promise<void> {
    const { deleteOptions, ...write } = options;
    const { name, namespace } = this.#key(type, ref);
    const body = {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name, namespace },
      ...(deleteOptions === undefined ? {} : { deleteOptions }),
    };
    await this.createSubresource(type, ref, "eviction", body, write);
  }

  async bind(type: ResourceType, ref: ObjectRef, nodeName: string, options?: WriteOptions): Promise<void> {
    const { name, namespace } = this.#key(type, ref);
    const uid = "metadata" in ref ? ref.metadata.uid : undefined;
    const body = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, namespace, ...(uid === undefined ? {} : { uid }) },
      target: { apiVersion: "v1", kind: "Node", name: nodeName },
    };
    await this.createSubresource(type, ref, "binding", body, options);
  }

  async createToken(
    type: ResourceType,
    ref: ObjectRef,
    request: TokenRequest,
    options?: WriteOptions,
  ): Promise<TokenRequest> {
    const body = { ...request, apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" };
    const answer = await this.createSubresource(type, ref, "token", body, options);
    return answer as TokenRequest; // The one kind it answers.
  }

  getSubresource(
    type: ResourceType,
    ref: ObjectRef,
    subresource: string,
    options: CallOptions = {},
  ): Promise<unknown> {
    return this.send(getRequest(type, this.#place(type, ref), { ...options, subresource }));
  }

  createSubresource(
    type: ResourceType,
    ref: ObjectRef,
    subresource: string,
    body: unknown,
    options?: WriteOptions,
  ): Promise<unknown> {
    const place = this.#place(type, ref);
    return this.send(createSubresourceRequest(type, place, subresource, body, this.#write(options)));
  }

  updateSubresource(
    type: ResourceType,
    ref: ObjectRef,
    subresource: string,
    body: unknown,
    options?: WriteOptions,
  ): Promise<unknown> {
    const place = this.#place(type, ref);
    return this.send(updateSubresourceRequest(type, place, subresource, body, this.#write(options)));
  }

  async send(request: ClientRequest): Promise<unknown> {
    const { body, warnings } = await this.transport.request(request);
    if (this.#options.onWarning !== undefined) for (const text of warnings) this.#options.onWarning(text);
    return body;
  }

  inNamespace(namespace: string): Client {
    return this.withOptions({ namespace });
  }

  withOptions(options: ClientOptions): Client {
    return new TransportClient(this.transport, { ...this.#options, ...options });
  }

  async #object<T extends KubeObject>(request: ClientRequest): Promise<T> {
    return (await this.send(request)) as T; // The server answers with an object of the resource asked for.
  }

  #key(type: ResourceType, ref: ObjectRef): { name?: string; namespace?: string } {
    const place = this.#place(type, ref);
    return "metadata" in place ? place.metadata : place;
  }

  /** The reference, with the client's namespace where it names none. */
  #place(type: ResourceType, ref: ObjectRef): ObjectRef {
    if ("metadata" in ref) return this.#placed(type, ref);
    if (!type.namespaced || ref.namespace !== undefined || this.#options.namespace === undefined) return ref;
    return { ...ref, namespace: this.#options.namespace };
  }

  #placed<T extends KubeObject>(type: ResourceType<T>, object: T): T {
    if (!type.namespaced || object.metadata.namespace !== undefined) return object;
    if (this.#options.namespace === undefined) return object;
    return { ...object, metadata: { ...object.metadata, namespace: this.#options.namespace } };
  }

  #select<O extends SelectOptions>(type: ResourceType, options: O): O {
    if (!type.namespaced || options.namespace !== undefined || this.#options.namespace === undefined)
      return options;
    return { ...options, namespace: this.#options.namespace };
  }

  #write<O extends WriteOptions>(options?: O): O & WriteOptions {
    const { fieldManager, fieldValidation } = this.#options;
    return {
      ...(fieldManager === undefined ? {} : { fieldManager }),
      ...(fieldValidation === undefined ? {} : { fieldValidation }),
      ...options,
    } as O & WriteOptions; // The caller's options over the client's.
  }
}
