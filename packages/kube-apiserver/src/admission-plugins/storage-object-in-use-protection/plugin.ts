import type { AdmissionPlugin } from "@binnacle/apiserver";

/** Source: kubernetes v1.36 pkg/volume/util/finalizer.go. */
const FINALIZERS: ReadonlyMap<string, string> = new Map([
  ["persistentvolumeclaims", "kubernetes.io/pvc-protection"],
  ["persistentvolumes", "kubernetes.io/pv-protection"],
  ["volumeattributesclasses.storage.k8s.io", "kubernetes.io/vac-protection"],
]);

/** Keeps claims and volumes from disappearing while they are in use: a controller takes the finalizer off. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  operations: ["CREATE"],
  mutate({ served, subresource, object }) {
    if (subresource !== "" || object === undefined) return;
    const { group, resource } = served;
    const finalizer = FINALIZERS.get(group === "" ? resource : `${resource}.${group}`);
    if (finalizer === undefined) return;
    const finalizers = object.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
  },
};
