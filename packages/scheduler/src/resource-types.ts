import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from "@binnacle/api";
import { type KubeObject, type ResourceType, resourceType } from "@binnacle/apimachinery";

export const pods: ResourceType<Pod> = core("Pod", "pods", true);
export const nodes: ResourceType<Node> = core("Node", "nodes", false);
export const claims: ResourceType<PersistentVolumeClaim> = core(
  "PersistentVolumeClaim",
  "persistentvolumeclaims",
  true,
);
export const volumes: ResourceType<PersistentVolume> = core("PersistentVolume", "persistentvolumes", false);
export const storageClasses: ResourceType<StorageClass> = resourceType<StorageClass>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  resource: "storageclasses",
  namespaced: false,
});

function core<T extends KubeObject>(kind: string, resource: string, namespaced: boolean): ResourceType<T> {
  return resourceType<T>({ group: "", version: "v1", kind, resource, namespaced });
}
