/** The resources that the built-in controllers read and write. */
import type {
  CertificateSigningRequest,
  ClusterRole,
  ConfigMap,
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  EndpointSlice,
  Endpoints,
  HorizontalPodAutoscaler,
  Job,
  Lease,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  Service,
  ServiceAccount,
  StatefulSet,
  StorageClass,
} from "@binnacle/api";
import { type KubeObject, type ResourceType, resourceType } from "@binnacle/apimachinery";

export const pods: ResourceType<Pod> = core("Pod", "pods");
export const namespaces: ResourceType<Namespace> = core("Namespace", "namespaces", false);
export const nodes: ResourceType<Node> = core("Node", "nodes", false);
export const services: ResourceType<Service> = core("Service", "services");
export const serviceAccounts: ResourceType<ServiceAccount> = core("ServiceAccount", "serviceaccounts");
export const configMaps: ResourceType<ConfigMap> = core("ConfigMap", "configmaps");
export const endpoints: ResourceType<Endpoints> = core("Endpoints", "endpoints");
export const resourceQuotas: ResourceType<ResourceQuota> = core("ResourceQuota", "resourcequotas");
export const persistentVolumes: ResourceType<PersistentVolume> = core(
  "PersistentVolume",
  "persistentvolumes",
  false,
);
export const persistentVolumeClaims: ResourceType<PersistentVolumeClaim> = core(
  "PersistentVolumeClaim",
  "persistentvolumeclaims",
);
export const replicationControllers: ResourceType<ReplicationController> = core(
  "ReplicationController",
  "replicationcontrollers",
);

export const deployments: ResourceType<Deployment> = grouped("apps", "v1", "Deployment", "deployments");
export const replicaSets: ResourceType<ReplicaSet> = grouped("apps", "v1", "ReplicaSet", "replicasets");
export const statefulSets: ResourceType<StatefulSet> = grouped("apps", "v1", "StatefulSet", "statefulsets");
export const daemonSets: ResourceType<DaemonSet> = grouped("apps", "v1", "DaemonSet", "daemonsets");
export const controllerRevisions: ResourceType<ControllerRevision> = grouped(
  "apps",
  "v1",
  "ControllerRevision",
  "controllerrevisions",
);
export const jobs: ResourceType<Job> = grouped("batch", "v1", "Job", "jobs");
export const cronJobs: ResourceType<CronJob> = grouped("batch", "v1", "CronJob", "cronjobs");
export const endpointSlices: ResourceType<EndpointSlice> = grouped(
  "discovery.k8s.io",
  "v1",
  "EndpointSlice",
  "endpointslices",
);
export const podDisruptionBudgets: ResourceType<PodDisruptionBudget> = grouped(
  "policy",
  "v1",
  "PodDisruptionBudget",
  "poddisruptionbudgets",
);
export const horizontalPodAutoscalers: ResourceType<HorizontalPodAutoscaler> = grouped(
  "autoscaling",
  "v2",
  "HorizontalPodAutoscaler",
  "horizontalpodautoscalers",
);
export const storageClasses: ResourceType<StorageClass> = resourceType({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  resource: "storageclasses",
  namespaced: false,
});
export const certificateSigningRequests: ResourceType<CertificateSigningRequest> = resourceType({
  group: "certificates.k8s.io",
  version: "v1",
  kind: "CertificateSigningRequest",
  resource: "certificatesigningrequests",
  namespaced: false,
});
export const clusterRoles: ResourceType<ClusterRole> = resourceType({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  resource: "clusterroles",
  namespaced: false,
});
export const leases: ResourceType<Lease> = grouped("coordination.k8s.io", "v1", "Lease", "leases");

function core<T extends KubeObject>(kind: string, resource: string, namespaced = true): ResourceType<T> {
  return resourceType<T>({ group: "", version: "v1", kind, resource, namespaced });
}

function grouped<T extends KubeObject>(
  group: string,
  version: string,
  kind: string,
  resource: string,
): ResourceType<T> {
  return resourceType<T>({ group, version, kind, resource, namespaced: true });
}
