import { customResourceDefinitions, serviceAccounts } from "@binnacle/api";
import {
  isForbidden,
  isStatusError,
  type KubeObject,
  type ResourceType,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import type { Clock } from "@binnacle/base";
import {
  type Client,
  type DiscoveredResource,
  type DiscoverySnapshot,
  fetchDiscovery,
} from "@binnacle/client";
import { inApplyOrder } from "./apply-order.ts";
import { ManifestError, type ManifestObject } from "./parse-manifests.ts";
import { waitForObject } from "./wait-for-object.ts";

export interface ApplyManifestsOptions {
  /** Ends waits for what others must do first. */
  readonly clock: Clock;
  /** Who owns the applied fields. Default `binnacle`. */
  readonly fieldManager?: string;
  /** Where objects go that name no namespace. Default `default`. */
  readonly namespace?: string;
  /** How long to wait for a CRD to be served, or for a namespace's service account. Default 30 s. */
  readonly waitMs?: number;
  /** Called for each object that was applied. */
  readonly onApplied?: (applied: ManifestObject) => void;
}

const DEFAULT_WAIT_MS = 30_000;

/**
 * Applies objects by server-side apply, namespaces and CRDs first; a custom resource waits until its CRD is served, and
 * a pod until its service account exists. Throws {@link ManifestError} for the first object that is refused.
 */
export async function applyManifests(
  client: Client,
  manifests: readonly ManifestObject[],
  options: ApplyManifestsOptions,
): Promise<UnstructuredObject[]> {
  const writer = new ManifestWriter(client, options);
  const applied: UnstructuredObject[] = [];
  for (const manifest of inApplyOrder(manifests)) {
    applied.push(await writer.apply(manifest));
    options.onApplied?.(manifest);
  }
  return applied;
}

class ManifestWriter {
  readonly #client: Client;
  readonly #options: ApplyManifestsOptions;
  #discovery: DiscoverySnapshot | undefined;

  constructor(client: Client, options: ApplyManifestsOptions) {
    this.#client = client;
    this.#options = options;
  }

  async apply(manifest: ManifestObject): Promise<UnstructuredObject> {
    const { object, origin } = manifest;
    const type = await this.#typeOf(object);
    if (type === undefined) {
      throw new ManifestError(`${origin}: the server has no kind ${object.kind} in ${object.apiVersion}`);
    }
    try {
      return await this.#write(type, object);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      throw new ManifestError(`${origin}: ${error.message}`, { cause: error });
    }
  }

  async #write(type: DiscoveredResource, object: UnstructuredObject): Promise<UnstructuredObject> {
    const namespace = object.metadata.namespace ?? this.#options.namespace ?? "default";
    const placed = type.namespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object;
    const write = (): Promise<UnstructuredObject> =>
      this.#client.apply(type, placed, {
        fieldManager: this.#options.fieldManager ?? "binnacle",
        force: true,
      });
    try {
      return await write();
    } catch (error) {
      // A controller makes the account shortly after its namespace; kubectl's users try again by hand.
      if (type.resource !== "pods" || type.group !== "" || !isForbidden(error)) throw error;
      if (!(await this.#waitFor(serviceAccounts, { namespace, name: accountOf(object) }, () => true)))
        throw error;
      return write();
    }
  }

  /** Asks the server again when it may have learnt the kind meanwhile. */
  async #typeOf(object: UnstructuredObject): Promise<DiscoveredResource | undefined> {
    this.#discovery ??= await fetchDiscovery(this.#client.transport);
    const known = this.#discovery.forObject(object);
    if (known !== undefined) return known;
    const definition = await this.#definitionOf(object);
    if (definition === undefined) return undefined;
    await this.#waitFor(customResourceDefinitions, { name: definition.metadata.name ?? "" }, isEstablished);
    this.#discovery = await fetchDiscovery(this.#client.transport);
    return this.#discovery.forObject(object);
  }

  async #definitionOf(object: UnstructuredObject): Promise<KubeObject | undefined> {
    const group = (object.apiVersion ?? "").split("/")[0];
    const { items } = await this.#client.listAll(customResourceDefinitions);
    return items.find((item) => {
      const { spec } = item as { spec?: { group?: string; names?: { kind?: string } } }; // Validated by the server.
      return spec?.group === group && spec?.names?.kind === object.kind;
    });
  }

  #waitFor<T extends KubeObject>(
    type: ResourceType<T>,
    key: { namespace?: string; name: string },
    isDone: (object: UnstructuredObject) => boolean,
  ): Promise<boolean> {
    const { clock, waitMs = DEFAULT_WAIT_MS } = this.#options;
    return waitForObject(this.#client, type, key, { clock, waitMs, isDone });
  }
}

function accountOf(pod: UnstructuredObject): string {
  const { spec } = pod as { spec?: { serviceAccountName?: unknown } }; // Read with care below.
  const name = spec?.serviceAccountName;
  return typeof name === "string" && name !== "" ? name : "default";
}

function isEstablished(definition: UnstructuredObject): boolean {
  const { status } = definition as { status?: { conditions?: { type: string; status: string }[] } }; // The server's own.
  return (
    status?.conditions?.some(({ type, status: value }) => type === "Established" && value === "True") ?? false
  );
}
