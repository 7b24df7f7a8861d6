import type { PersistentVolumeClaim, StorageClass } from "@binnacle/api";
import type { AdmissionPlugin } from "@binnacle/apiserver";
import { listObjects } from "../lookup.ts";

const IS_DEFAULT = "storageclass.kubernetes.io/is-default-class";
const IS_DEFAULT_BETA = "storageclass.beta.kubernetes.io/is-default-class";
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/**
 * Gives a claim without a class the default class: of several, the newest.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/storage/storageclass/setdefault/admission.go.
 */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  operations: ["CREATE"],
  mutate({ served, subresource, object }, core) {
    if (served.group !== "" || served.resource !== "persistentvolumeclaims" || subresource !== "") return;
    const claim = object as unknown as PersistentVolumeClaim; // Decoded as a claim.
    if (claim.spec?.storageClassName !== undefined) return;
    if (claim.metadata.annotations?.[CLASS_ANNOTATION] !== undefined) return;
    const classes = listObjects<StorageClass>(core, { group: "storage.k8s.io", resource: "storageclasses" });
    const chosen = classes.filter(isDefault).sort(byNewest)[0];
    if (chosen === undefined) return;
    claim.spec ??= {};
    claim.spec.storageClassName = chosen.metadata.name ?? "";
  },
};

function isDefault({ metadata: { annotations } }: StorageClass): boolean {
  return annotations?.[IS_DEFAULT] === "true" || annotations?.[IS_DEFAULT_BETA] === "true";
}

function byNewest(a: StorageClass, b: StorageClass): number {
  const [left, right] = [a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? ""];
  if (left !== right) return left < right ? 1 : -1;
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}
