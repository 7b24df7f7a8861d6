import {
  formatApiVersion,
  formatGroupResource,
  isNotFound,
  type KubeObject,
  parseApiVersion,
  type ResourceType,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import type { Transport } from "./transport/transport.ts";

/** What the server says about one resource in one version. */
export interface DiscoveredResource extends ResourceType<UnstructuredObject> {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** Names of its subresources, such as `status`. */
  readonly subresources: readonly string[];
}

/** One group with its versions, the server's preferred one first. */
export interface DiscoveredGroup {
  readonly name: string;
  readonly versions: readonly {
    readonly version: string;
    /** The server could not reach the backend of this version: the resources may be incomplete. */
    readonly isStale: boolean;
    readonly resources: readonly DiscoveredResource[];
  }[];
}

/** What a server serves, at one moment. */
export class DiscoverySnapshot {
  readonly groups: readonly DiscoveredGroup[];
  readonly #byKind = new Map<string, DiscoveredResource>();
  readonly #byResource = new Map<string, DiscoveredResource>();

  constructor(groups: readonly DiscoveredGroup[]) {
    this.groups = groups;
    for (const group of groups) {
      for (const { version, resources } of group.versions) {
        const apiVersion = formatApiVersion({ group: group.name, version });
        for (const resource of resources) {
          this.#byKind.set(`${apiVersion}/${resource.kind}`, resource);
          this.#byResource.set(`${apiVersion}/${resource.resource}`, resource);
        }
      }
    }
  }

  /** The resource that holds objects of this kind. */
  forKind(apiVersion: string, kind: string): DiscoveredResource | undefined {
    return this.#byKind.get(`${apiVersion}/${kind}`);
  }

  forObject(object: KubeObject): DiscoveredResource | undefined {
    return this.forKind(object.apiVersion ?? "", object.kind ?? "");
  }

  forResource(apiVersion: string, resource: string): DiscoveredResource | undefined {
    return this.#byResource.get(`${apiVersion}/${resource}`);
  }

  /** Each resource once, in its group's preferred version. */
  preferredResources(): DiscoveredResource[] {
    const chosen = new Map<string, DiscoveredResource>();
    for (const group of this.groups) {
      for (const { resources } of group.versions) {
        for (const resource of resources) {
          const name = formatGroupResource(resource);
          if (!chosen.has(name)) chosen.set(name, resource);
        }
      }
    }
    return [...chosen.values()];
  }

  /** Whether all versions could be asked. */
  get isComplete(): boolean {
    return this.groups.every((group) => group.versions.every((version) => !version.isStale));
  }
}

/** Asks a server what it serves, and remembers the answer until told to ask again. */
export class Discovery {
  readonly #transport: Transport;
  #snapshot: Promise<DiscoverySnapshot> | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What the server served when it was first asked. */
  snapshot(): Promise<DiscoverySnapshot> {
    this.#snapshot ??= fetchDiscovery(this.#transport).catch((error: unknown) => {
      this.#snapshot = undefined; // The next caller asks again.
      throw error;
    });
    return this.#snapshot;
  }

  /** Asks again. */
  refresh(): Promise<DiscoverySnapshot> {
    this.#snapshot = undefined;
    return this.snapshot();
  }

  /** The resource of a kind; asks again when it is not known. */
  async forKind(apiVersion: string, kind: string): Promise<DiscoveredResource | undefined> {
    const known = (await this.snapshot()).forKind(apiVersion, kind);
    return known ?? (await this.refresh()).forKind(apiVersion, kind);
  }
}

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Two requests; for servers without aggregated discovery, one per group version. */
export async function fetchDiscovery(transport: Transport): Promise<DiscoverySnapshot> {
  const accept = `${AGGREGATED},application/json`;
  const answers = await Promise.all(
    ["/api", "/apis"].map(async (path) => {
      const { body } = await transport.request({ method: "GET", path, accept });
      return body;
    }),
  );
  const groups = await Promise.all(
    answers.map((body) => {
      const answer = body as { kind?: unknown }; // Any answer of these two paths is an object with a kind.
      if (answer.kind === "APIGroupDiscoveryList") return readAggregated(body as AggregatedList);
      return fetchLegacy(transport, body as LegacyRoot); // The other two kinds: APIVersions and APIGroupList.
    }),
  );
  return new DiscoverySnapshot(groups.flat());
}

/** Source: kubernetes v1.36 staging/src/k8s.io/api/apidiscovery/v2/types.go (the fields that are read here). */
interface AggregatedList {
  readonly items: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: "Current" | "Stale";
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly group?: string; readonly version?: string; readonly kind: string };
        readonly scope: "Namespaced" | "Cluster";
        readonly singularResource?: string;
        readonly shortNames?: readonly string[];
        readonly categories?: readonly string[];
        readonly verbs?: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

function readAggregated(list: AggregatedList): DiscoveredGroup[] {
  return list.items.map((item) => {
    const group = item.metadata?.name ?? "";
    return {
      name: group,
      versions: (item.versions ?? []).map(({ version, freshness, resources = [] }) => ({
        version,
        isStale: freshness === "Stale",
        resources: resources
          .filter((each) => (each.verbs ?? []).length > 0)
          .map((each) => ({
            group,
            version,
            kind: each.responseKind?.kind ?? "",
            resource: each.resource,
            namespaced: each.scope === "Namespaced",
            singular: each.singularResource ?? "",
            shortNames: each.shortNames ?? [],
            categories: each.categories ?? [],
            verbs: each.verbs ?? [],
            subresources: (each.subresources ?? []).map((sub) => sub.subresource),
          })),
      })),
    };
  });
}

interface LegacyRoot {
  /** APIVersions. */
  readonly versions?: readonly string[];
  /** APIGroupList. */
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
    readonly preferredVersion?: { readonly version: string };
  }[];
}

/** An APIResourceList; subresources are listed as `pods/status`. */
interface LegacyResources {
  readonly groupVersion: string;
  readonly resources?: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly namespaced: boolean;
    readonly kind: string;
    readonly verbs: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

async function fetchLegacy(transport: Transport, root: LegacyRoot): Promise<DiscoveredGroup[]> {
  const groups =
    root.versions === undefined
      ? (root.groups ?? []).map(({ name, versions, preferredVersion }) => {
          const others = versions
            .map((each) => each.version)
            .filter((each) => each !== preferredVersion?.version);
          return {
            name,
            versions: preferredVersion === undefined ? others : [preferredVersion.version, ...others],
          };
        })
      : [{ name: "", versions: root.versions }];
  return Promise.all(
    groups.map(async ({ name, versions }) => ({
      name,
      versions: await Promise.all(
        versions.map(async (version) => {
          const path = name === "" ? `/api/${version}` : `/apis/${name}/${version}`;
          try {
            const { body } = await transport.request({ method: "GET", path });
            return { version, isStale: false, resources: readLegacy(body as LegacyResources) }; // What this path answers.
          } catch (error) {
            // Gone since the root was read. Other failures are the caller's to see.
            if (isNotFound(error)) return { version, isStale: true, resources: [] };
            throw error;
          }
        }),
      ),
    })),
  );
}

function readLegacy(list: LegacyResources): DiscoveredResource[] {
  const { group, version } = parseApiVersion(list.groupVersion) ?? { group: "", version: list.groupVersion };
  const all = list.resources ?? [];
  return all
    .filter((each) => !each.name.includes("/"))
    .map((each) => ({
      group,
      version,
      kind: each.kind,
      resource: each.name,
      namespaced: each.namespaced,
      singular: each.singularName ?? "",
      shortNames: each.shortNames ?? [],
      categories: each.categories ?? [],
      verbs: each.verbs,
      subresources: all
        .filter((other) => other.name.startsWith(`${each.name}/`))
        .map((other) => other.name.slice(each.name.length + 1)),
    }));
}
