import type { ManifestObject } from "./parse-manifests.ts";

/** Kinds that others need, in the order in which they are needed; everything else lies between these and `LAST`. */
const FIRST = [
  "Namespace",
  "CustomResourceDefinition",
  "PriorityClass",
  "RuntimeClass",
  "StorageClass",
  "ResourceQuota",
  "LimitRange",
  "ServiceAccount",
  "ClusterRole",
  "Role",
  "ClusterRoleBinding",
  "RoleBinding",
  "Secret",
  "ConfigMap",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Service",
] as const;

/** What may refuse or change other objects comes after them. */
const LAST = [
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
] as const;

/** The objects in an order in which each finds what it needs. Those of the same rank keep their order. */
export function inApplyOrder(manifests: readonly ManifestObject[]): ManifestObject[] {
  return manifests
    .map((manifest) => ({ manifest, rank: rankOf(manifest.object.kind ?? "") }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ manifest }) => manifest);
}

function rankOf(kind: string): number {
  const first = (FIRST as readonly string[]).indexOf(kind);
  if (first >= 0) return first;
  const last = (LAST as readonly string[]).indexOf(kind);
  return FIRST.length + 1 + last;
}
