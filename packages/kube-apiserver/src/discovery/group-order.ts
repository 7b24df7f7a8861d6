import type { DiscoveryOrder } from "@binnacle/apiserver";

/**
 * Groups in the order of discovery, most important first.
 *
 * Source: kubernetes v1.36 pkg/controlplane/apiserver/aggregator.go, DefaultGenericAPIServicePriorities and
 * pkg/controlplane/instance.go: sorted by group priority.
 */
const GROUPS: readonly string[] = [
  "",
  "apiregistration.k8s.io",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
  "resource.k8s.io",
  "flowcontrol.apiserver.k8s.io",
];

const RANKS: ReadonlyMap<string, number> = new Map(GROUPS.map((group, rank) => [group, rank]));

/** Built-in groups by their priority, others after them by name; stable versions first, newest first. */
export const discoveryOrder: DiscoveryOrder = {
  groupRank: (group) => RANKS.get(group) ?? GROUPS.length,
  versionRank: (_group, version) => -versionPriority(version),
};

/** Source: apimachinery/pkg/version/helpers.go, CompareKubeAwareVersionStrings. */
function versionPriority(version: string): number {
  const match = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/.exec(version);
  if (match === null) return -1;
  const stage = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return stage * 1e8 + Number(match[1]) * 1e4 + Number(match[3] ?? 0);
}
