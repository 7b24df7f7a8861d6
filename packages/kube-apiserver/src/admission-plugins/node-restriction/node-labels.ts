/**
 * Which labels a node may give itself.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/noderestriction/admission.go, getForbiddenLabels, and
 * kubelet/pkg/apis/well_known_labels.go.
 */

/** Labels that only administrators set, so that nodes cannot draw pods to themselves. */
const RESTRICTED = "node-restriction.kubernetes.io";
const KUBERNETES = ["kubernetes.io", "k8s.io"];
const KUBELET = ["kubelet.kubernetes.io", "node.kubernetes.io"];

const KUBELET_LABELS: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "node.kubernetes.io/instance-type",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);

type Labels = Readonly<Record<string, string>> | undefined;

/** Labels that differ and are not a node's to change, sorted. */
export function forbiddenChanges(updated: Labels = {}, old: Labels = {}): string[] {
  const names = new Set([...Object.keys(updated), ...Object.keys(old)]);
  return [...names].filter((name) => updated[name] !== old[name] && isForbidden(name)).sort();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf("/");
  const namespace = slash < 0 ? "" : label.slice(0, slash);
  if (isIn(namespace, [RESTRICTED])) return true;
  return isIn(namespace, KUBERNETES) && !KUBELET_LABELS.has(label) && !isIn(namespace, KUBELET);
}

function isIn(namespace: string, domains: readonly string[]): boolean {
  return domains.some((domain) => namespace === domain || namespace.endsWith(`.${domain}`));
}
