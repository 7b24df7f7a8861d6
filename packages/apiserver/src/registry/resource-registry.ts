import {
  ALL_VERBS,
  type Column,
  formatApiVersion,
  type KubeObject,
  type ObjectSchema,
  type ResourceDefinition,
  type ResourceVerb,
  type ServedVersion,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import type { ResourceHooks } from "./resource-hooks.ts";

/** One resource in one served group and version: what a path like `/apis/apps/v1/…/deployments` means. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly hooks: ResourceHooks;
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly schema: ObjectSchema;
  readonly verbs: readonly ResourceVerb[];
  readonly columns: readonly Column[] | undefined;
  /** Whether objects are stored in this very form. */
  readonly isHub: boolean;
  /** Present unless this is the hub. */
  readonly conversion: ServedVersion | undefined;
  /** Prefix of all keys of the resource. */
  readonly keyPrefix: string;
}

/** Names come from clients: no more than so many are remembered. */
const MAX_REMEMBERED = 1_000;

function remembered<T>(
  known: Map<string, T | undefined>,
  key: string,
  find: () => T | undefined,
): T | undefined {
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found;
  if (known.size >= MAX_REMEMBERED) known.clear();
  const value = find();
  known.set(key, value);
  return value;
}

/** All served resources. Changes when custom resources come and go; whoever caches asks for `generation`. */
export class ResourceRegistry {
  readonly #byPath = new Map<string, ServedResource>();
  readonly #byKeyPrefix = new Map<string, ServedResource>();
  /** What `findHub` and `findByKind` found since the last change. */
  readonly #hubs = new Map<string, ServedResource | undefined>();
  readonly #byKind = new Map<string, ServedResource | undefined>();
  #generation = 0;

  /** Grows with every change. */
  get generation(): number {
    return this.#generation;
  }

  /** Serves a resource in all its versions; replaces an earlier definition of the same group and name. */
  register(definition: ResourceDefinition, hooks: ResourceHooks = {}): void {
    this.unregister(definition.group, definition.resource);
    const hub = serveHub(definition, hooks);
    this.#add(hub);
    this.#byKeyPrefix.set(hub.keyPrefix, hub);
    for (const other of definition.otherVersions ?? []) this.#add(serveOther(hub, other));
    this.#changed();
  }

  unregister(group: string, resource: string): void {
    const prefix = keyPrefixOf(group, resource);
    if (!this.#byKeyPrefix.delete(prefix)) return;
    for (const [path, served] of this.#byPath) if (served.keyPrefix === prefix) this.#byPath.delete(path);
    this.#changed();
  }

  #changed(): void {
    this.#generation++;
    this.#hubs.clear();
    this.#byKind.clear();
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#byPath.get(pathOf(group, version, resource));
  }

  /** The stored form of any version of a resource. */
  findHub(group: string, resource: string): ServedResource | undefined {
    return remembered(this.#hubs, `${resource}.${group}`, () => {
      const direct = this.#byKeyPrefix.get(keyPrefixOf(group, resource));
      if (direct !== undefined) return direct;
      for (const served of this.#byPath.values()) {
        if (served.group === group && served.resource === resource)
          return this.#byKeyPrefix.get(served.keyPrefix);
      }
      return undefined;
    });
  }

  findByKind(apiVersion: string, kind: string): ServedResource | undefined {
    return remembered(this.#byKind, `${apiVersion} ${kind}`, () => {
      for (const served of this.#byPath.values())
        if (served.kind === kind && served.apiVersion === apiVersion) return served;
      return undefined;
    });
  }

  hasGroupVersion(group: string, version: string): boolean {
    for (const served of this.#byPath.values()) {
      if (served.group === group && served.version === version) return true;
    }
    return false;
  }

  all(): Iterable<ServedResource> {
    return this.#byPath.values();
  }

  hubs(): Iterable<ServedResource> {
    return this.#byKeyPrefix.values();
  }

  #add(served: ServedResource): void {
    this.#byPath.set(pathOf(served.group, served.version, served.resource), served);
  }
}

/** The key of an object. Names and namespaces are validated: neither holds a slash. */
export function keyOf(served: ServedResource, namespace: string, name: string): string {
  return served.namespaced ? `${served.keyPrefix}${namespace}/${name}` : `${served.keyPrefix}${name}`;
}

/** An object in the form of the version that is asked for. Never changes its argument. */
export function convertFromHub(served: ServedResource, object: UnstructuredObject): UnstructuredObject {
  if (served.conversion === undefined) return object;
  const converted = served.conversion.fromHub(object as KubeObject);
  return { ...converted, kind: served.kind, apiVersion: served.apiVersion };
}

/** An object in its stored form. Never changes its argument. */
export function convertToHub(served: ServedResource, object: UnstructuredObject): UnstructuredObject {
  if (served.conversion === undefined) return object;
  const { definition } = served;
  const converted = served.conversion.toHub(object) as UnstructuredObject; // Fields beyond metadata are the kind's.
  return { ...converted, kind: definition.kind, apiVersion: formatApiVersion(definition) };
}

function serveHub(definition: ResourceDefinition, hooks: ResourceHooks): ServedResource {
  return {
    definition,
    hooks,
    group: definition.group,
    version: definition.version,
    apiVersion: formatApiVersion(definition),
    kind: definition.kind,
    listKind: definition.listKind,
    resource: definition.resource,
    namespaced: definition.namespaced,
    schema: definition.schema,
    verbs: definition.verbs ?? (definition.virtual === true ? ["create"] : ALL_VERBS),
    columns: definition.columns,
    isHub: true,
    conversion: undefined,
    keyPrefix: keyPrefixOf(definition.group, definition.resource),
  };
}

function serveOther(hub: ServedResource, other: ServedVersion): ServedResource {
  return {
    ...hub,
    group: other.group,
    version: other.version,
    apiVersion: formatApiVersion(other),
    kind: other.kind,
    listKind: `${other.kind}List`,
    resource: other.resource,
    schema: other.schema,
    columns: other.columns ?? hub.columns,
    isHub: false,
    conversion: other,
  };
}

function keyPrefixOf(group: string, resource: string): string {
  return `/registry/${group === "" ? "core" : group}/${resource}/`;
}

function pathOf(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}
