import {
  type KubeList,
  type KubeObject,
  notFound,
  parseFieldSelector,
  type ResourceType,
} from "@binnacle/apimachinery";
import { BugError } from "@binnacle/base";
import {
  type Client,
  type GetOptions,
  keyOf,
  type ListOptions,
  type ObjectKey,
  type ObjectRef,
} from "@binnacle/client";
import type { Cache } from "../cache/cache.ts";

/**
 * A client whose reads come from the cache. The first read of a resource starts following it and waits until it has
 * arrived. Writes go to the server; the cache hears of them as it hears of everybody's.
 */
export interface CachedClient extends Client {
  /** Asks the server every time. */
  readonly live: Client;
  /** The objects of a resource that name this object as an owner. */
  listOwned<T extends KubeObject>(type: ResourceType<T>, owner: KubeObject): Promise<T[]>;
}

/** A client that reads from `cache` and writes through `live`. `namespace` is that of keys and lists that name none. */
export function createCachedClient(live: Client, cache: Cache, namespace?: string): CachedClient {
  const synced = async (type: ResourceType): Promise<void> => {
    const informer = cache.informer(type);
    if (!informer.hasSynced) await informer.whenSynced();
  };
  const placed = (type: ResourceType, name: string): ObjectKey =>
    type.namespaced && namespace !== undefined ? { namespace, name } : { name };
  const find = async <T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    options?: GetOptions,
  ): Promise<T | undefined> => {
    if (options?.resourceVersion !== undefined) return live.find(type, ref, options);
    await synced(type);
    const key = keyOf(ref);
    return cache.get(type, key.namespace === undefined ? placed(type, key.name) : key);
  };
  const list = async <T extends KubeObject>(
    type: ResourceType<T>,
    options: ListOptions = {},
  ): Promise<KubeList<T>> => {
    const { labelSelector, fieldSelector, limit, resourceVersion } = options;
    const place = options.namespace ?? namespace;
    if (limit !== undefined || options.continue !== undefined || resourceVersion !== undefined)
      return live.list(type, options);
    await synced(type);
    const items = cache.list(type, {
      ...(place === undefined ? {} : { namespace: place }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
    });
    return { metadata: {}, items: filterByFields(items, fieldSelector) };
  };
  return {
    transport: live.transport,
    live,
    find,
    async get(type, ref, options) {
      const object = await find(type, ref, options);
      if (object === undefined) throw notFound(type, keyOf(ref).name);
      return object;
    },
    list,
    listAll: list,
    async listOwned(type, owner) {
      await synced(type);
      return cache.listOwned(type, owner);
    },
    watch: (type, options, handler) => live.watch(type, options, handler),
    create: (type, object, options) => live.create(type, object, options),
    update: (type, object, options) => live.update(type, object, options),
    updateStatus: (type, object, options) => live.updateStatus(type, object, options),
    patch: (type, ref, patch, options) => live.patch(type, ref, patch, options),
    patchStatus: (type, ref, patch, options) => live.patchStatus(type, ref, patch, options),
    apply: (type, object, options) => live.apply(type, object, options),
    delete: (type, ref, options) => live.delete(type, ref, options),
    deleteCollection: (type, options) => live.deleteCollection(type, options),
    getScale: (type, ref, options) => live.getScale(type, ref, options),
    updateScale: (type, ref, scale, options) => live.updateScale(type, ref, scale, options),
    evict: (type, ref, options) => live.evict(type, ref, options),
    bind: (type, ref, nodeName, options) => live.bind(type, ref, nodeName, options),
    createToken: (type, ref, request, options) => live.createToken(type, ref, request, options),
    getSubresource: (type, ref, name, options) => live.getSubresource(type, ref, name, options),
    createSubresource: (type, ref, name, body, options) =>
      live.createSubresource(type, ref, name, body, options),
    updateSubresource: (type, ref, name, body, options) =>
      live.updateSubresource(type, ref, name, body, options),
    send: (request) => live.send(request),
    inNamespace: (other) => createCachedClient(live.inNamespace(other), cache, other),
    withOptions: (options) =>
      createCachedClient(live.withOptions(options), cache, options.namespace ?? namespace),
  };
}

/** The cache knows the two fields that every object has. */
function filterByFields<T extends KubeObject>(items: T[], selector: ListOptions["fieldSelector"]): T[] {
  if (selector === undefined || selector === "") return items;
  const { requirements } = typeof selector === "string" ? parseFieldSelector(selector) : selector;
  return items.filter(({ metadata }) =>
    requirements.every(({ field, operator, value }) => {
      if (field !== "metadata.name" && field !== "metadata.namespace")
        throw new BugError(`the cache cannot select by ${field}: use an index, or client.live`);
      const actual = field === "metadata.name" ? metadata.name : metadata.namespace;
      return ((actual ?? "") === value) === (operator === "=");
    }),
  );
}
