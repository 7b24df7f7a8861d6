import { createHash } from "node:crypto";
import type { ResourceRegistry, ServedResource } from "../registry/resource-registry.ts";

/** A subresource as discovery shows it. */
export interface SubresourceDiscovery {
  readonly name: string;
  /** Undefined group: the resource's own group and version. */
  readonly kind: { readonly group?: string; readonly version?: string; readonly kind: string };
  readonly verbs: readonly string[];
}

/** The subresources of a resource, sorted by name. */
export function subresourcesOf(served: ServedResource): SubresourceDiscovery[] {
  const { definition, hooks } = served;
  const result: SubresourceDiscovery[] = [];
  if (definition.scale !== undefined) {
    const kind = { group: "autoscaling", version: "v1", kind: "Scale" };
    result.push({ name: "scale", kind, verbs: ["get", "patch", "update"] });
  }
  if (definition.status !== undefined) {
    result.push({ name: "status", kind: { kind: served.kind }, verbs: ["get", "patch", "update"] });
  }
  for (const [name, handler] of Object.entries(hooks.subresources ?? {})) {
    const { group, version, kind } = handler.kind;
    const isOwn = group === served.group && version === served.version;
    result.push({
      name,
      kind: isOwn ? { kind } : { group, version, kind },
      verbs: [...handler.verbs].sort(),
    });
  }
  return result.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The resources of a group and version, sorted by name. */
export function resourcesOf(registry: ResourceRegistry, group: string, version: string): ServedResource[] {
  const found = [...registry.all()].filter((served) => served.group === group && served.version === version);
  return found.sort((a, b) => (a.resource < b.resource ? -1 : 1));
}

/** The legacy list of a group and version's resources. */
export function resourceList(
  registry: ResourceRegistry,
  group: string,
  version: string,
): Record<string, unknown> {
  const resources: Record<string, unknown>[] = [];
  for (const served of resourcesOf(registry, group, version)) {
    const { definition, namespaced } = served;
    resources.push({
      name: served.resource,
      singularName: definition.singular,
      namespaced,
      kind: served.kind,
      verbs: [...served.verbs],
      ...(definition.shortNames === undefined ? {} : { shortNames: [...definition.shortNames] }),
      ...(definition.categories === undefined ? {} : { categories: [...definition.categories] }),
      ...(definition.virtual === true ? {} : { storageVersionHash: storageVersionHash(served) }),
    });
    for (const { name, kind, verbs } of subresourcesOf(served)) {
      resources.push({
        name: `${served.resource}/${name}`,
        singularName: "",
        namespaced,
        ...kind,
        verbs: [...verbs],
      });
    }
  }
  const groupVersion = group === "" ? version : `${group}/${version}`;
  const head = group === "" ? { kind: "APIResourceList" } : { kind: "APIResourceList", apiVersion: "v1" };
  return { ...head, groupVersion, resources };
}

const hashes = new Map<string, string>(); // A cache of a pure function.

/** Source: kubernetes v1.36 apiserver/pkg/endpoints/discovery/storageversionhash.go. */
function storageVersionHash(served: ServedResource): string {
  const { group, version, kind } = served.definition;
  const text = `${group}/${version}/${kind}`;
  let hash = hashes.get(text);
  if (hash === undefined) {
    hash = createHash("sha256").update(text).digest().subarray(0, 8).toString("base64");
    hashes.set(text, hash);
  }
  return hash;
}
