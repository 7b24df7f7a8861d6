import type { PersistentVolumeClaim, StorageClass } from "@binnacle/api";
import { compareQuantities } from "@binnacle/apimachinery";
import type { AdmissionPlugin, ApiServerCore } from "@binnacle/apiserver";
import { findObject } from "../lookup.ts";
import { refusal } from "../refusal.ts";

const CLASSES = { group: "storage.k8s.io", resource: "storageclasses" };
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/**
 * A claim grows only when it is bound and its storage class allows it.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/storage/persistentvolume/resize/admission.go.
 */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: "PersistentVolumeClaimResize",
  operations: ["UPDATE"],
  validate(attributes, core) {
    const { served, subresource } = attributes;
    if (served.group !== "" || served.resource !== "persistentvolumeclaims" || subresource !== "") return;
    // Claims, by their resource.
    const updated = attributes.object as unknown as PersistentVolumeClaim;
    const old = attributes.oldObject as unknown as PersistentVolumeClaim;
    if (compareQuantities(sizeOf(updated), sizeOf(old)) <= 0) return;
    if (old.status?.phase !== "Bound") {
      throw refusal(attributes, "Only bound persistent volume claims can be expanded");
    }
    if (!classAllows(core, updated, old)) {
      throw refusal(
        attributes,
        "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
      );
    }
  },
};

function sizeOf({ spec }: PersistentVolumeClaim): string {
  return spec?.resources?.requests?.["storage"] ?? "0";
}

function classAllows(
  core: ApiServerCore,
  updated: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): boolean {
  const name = classOf(updated);
  if (name === "" || name !== classOf(old)) return false;
  return findObject<StorageClass>(core, CLASSES, name)?.allowVolumeExpansion === true;
}

function classOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? "";
}
