import type { ResourceRegistry } from "../registry/resource-registry.ts";
import { resourcesOf, subresourcesOf } from "./resource-list.ts";

/** The order of groups and versions in discovery: the order of APIService priorities. */
export interface DiscoveryOrder {
  /** Smaller comes first. */
  groupRank(group: string): number;
  /** Smaller comes first, and the first version is the preferred one. */
  versionRank(group: string, version: string): number;
}

/** Served groups in order, with their versions in order; the core group is "". */
export function groupsInOrder(
  registry: ResourceRegistry,
  order: DiscoveryOrder,
): { readonly group: string; readonly versions: readonly string[] }[] {
  const versions = new Map<string, Set<string>>();
  for (const served of registry.all()) {
    const set = versions.get(served.group) ?? new Set();
    versions.set(served.group, set.add(served.version));
  }
  return [...versions]
    .map(([group, set]) => ({
      group,
      versions: [...set].sort((a, b) => order.versionRank(group, a) - order.versionRank(group, b)),
    }))
    .sort((a, b) => order.groupRank(a.group) - order.groupRank(b.group) || (a.group < b.group ? -1 : 1));
}

/** The legacy description of a group. */
export function apiGroup(group: string, versions: readonly string[]): Record<string, unknown> {
  const list = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: list, preferredVersion: list[0] };
}

/** The aggregated (v2) description of some groups: everything a client needs in one answer. */
export function groupDiscoveryList(
  registry: ResourceRegistry,
  groups: readonly { readonly group: string; readonly versions: readonly string[] }[],
  apiVersion: string,
): Record<string, unknown> {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion,
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versions.map((version) => ({
        version,
        resources: resourcesOf(registry, group, version).map((served) => {
          const { definition } = served;
          const subresources = subresourcesOf(served).map(({ name, kind, verbs }) => ({
            subresource: name,
            responseKind: { group: "", version: "", ...kind },
            verbs: [...verbs],
          }));
          return {
            resource: served.resource,
            responseKind: { group: "", version: "", kind: served.kind },
            scope: served.namespaced ? "Namespaced" : "Cluster",
            singularResource: definition.singular,
            verbs: [...served.verbs],
            ...(definition.shortNames === undefined ? {} : { shortNames: [...definition.shortNames] }),
            ...(definition.categories === undefined ? {} : { categories: [...definition.categories] }),
            ...(subresources.length === 0 ? {} : { subresources }),
          };
        }),
        freshness: "Current",
      })),
    })),
  };
}
