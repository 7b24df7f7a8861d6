/**
 * The kinds (and other root types) that Kubernetes v1.36 serves by default, by protobuf package. The tables hold
 * these and every type they reach. Source: discovery documents of a v1.36 API server.
 */
export interface ServedPackage {
  /** The protobuf package, such as `k8s.io.api.core.v1`. */
  readonly protobuf: string;
  /** The API group; empty for core and for the types that belong to no group. */
  readonly group: string;
  readonly version: string;
  /** Kinds with `apiVersion`, `kind` and `metadata`; each stored one also has a list kind. */
  readonly kinds: readonly string[];
  /** Roots that are not API objects. */
  readonly others?: readonly string[];
}

export const servedPackages: readonly ServedPackage[] = [
  {
    protobuf: "k8s.io.apimachinery.pkg.apis.meta.v1",
    group: "",
    version: "v1",
    kinds: [],
    others: [
      "APIGroup",
      "APIGroupList",
      "APIResource",
      "APIResourceList",
      "APIVersions",
      "Condition",
      "DeleteOptions",
      "LabelSelector",
      "ListMeta",
      "ObjectMeta",
      "Status",
      "WatchEvent",
    ],
  },
  {
    protobuf: "k8s.io.api.core.v1",
    group: "",
    version: "v1",
    kinds: [
      "Binding",
      "ComponentStatus",
      "ConfigMap",
      "Endpoints",
      "Event",
      "LimitRange",
      "Namespace",
      "Node",
      "PersistentVolume",
      "PersistentVolumeClaim",
      "Pod",
      "PodTemplate",
      "ReplicationController",
      "ResourceQuota",
      "Secret",
      "Service",
      "ServiceAccount",
    ],
  },
  {
    protobuf: "k8s.io.api.admissionregistration.v1",
    group: "admissionregistration.k8s.io",
    version: "v1",
    kinds: [
      "MutatingAdmissionPolicy",
      "MutatingAdmissionPolicyBinding",
      "MutatingWebhookConfiguration",
      "ValidatingAdmissionPolicy",
      "ValidatingAdmissionPolicyBinding",
      "ValidatingWebhookConfiguration",
    ],
  },
  {
    protobuf: "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1",
    group: "apiextensions.k8s.io",
    version: "v1",
    kinds: ["CustomResourceDefinition"],
  },
  {
    protobuf: "k8s.io.kube_aggregator.pkg.apis.apiregistration.v1",
    group: "apiregistration.k8s.io",
    version: "v1",
    kinds: ["APIService"],
  },
  {
    protobuf: "k8s.io.api.apps.v1",
    group: "apps",
    version: "v1",
    kinds: ["ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"],
  },
  {
    protobuf: "k8s.io.api.authentication.v1",
    group: "authentication.k8s.io",
    version: "v1",
    kinds: ["SelfSubjectReview", "TokenRequest", "TokenReview"],
  },
  {
    protobuf: "k8s.io.api.authorization.v1",
    group: "authorization.k8s.io",
    version: "v1",
    kinds: [
      "LocalSubjectAccessReview",
      "SelfSubjectAccessReview",
      "SelfSubjectRulesReview",
      "SubjectAccessReview",
    ],
  },
  {
    protobuf: "k8s.io.api.autoscaling.v1",
    group: "autoscaling",
    version: "v1",
    kinds: ["HorizontalPodAutoscaler", "Scale"],
  },
  {
    protobuf: "k8s.io.api.autoscaling.v2",
    group: "autoscaling",
    version: "v2",
    kinds: ["HorizontalPodAutoscaler"],
  },
  { protobuf: "k8s.io.api.batch.v1", group: "batch", version: "v1", kinds: ["CronJob", "Job"] },
  {
    protobuf: "k8s.io.api.certificates.v1",
    group: "certificates.k8s.io",
    version: "v1",
    kinds: ["CertificateSigningRequest"],
  },
  { protobuf: "k8s.io.api.coordination.v1", group: "coordination.k8s.io", version: "v1", kinds: ["Lease"] },
  { protobuf: "k8s.io.api.discovery.v1", group: "discovery.k8s.io", version: "v1", kinds: ["EndpointSlice"] },
  { protobuf: "k8s.io.api.events.v1", group: "events.k8s.io", version: "v1", kinds: ["Event"] },
  {
    protobuf: "k8s.io.api.flowcontrol.v1",
    group: "flowcontrol.apiserver.k8s.io",
    version: "v1",
    kinds: ["FlowSchema", "PriorityLevelConfiguration"],
  },
  {
    protobuf: "k8s.io.api.networking.v1",
    group: "networking.k8s.io",
    version: "v1",
    kinds: ["IPAddress", "Ingress", "IngressClass", "NetworkPolicy", "ServiceCIDR"],
  },
  { protobuf: "k8s.io.api.node.v1", group: "node.k8s.io", version: "v1", kinds: ["RuntimeClass"] },
  {
    protobuf: "k8s.io.api.policy.v1",
    group: "policy",
    version: "v1",
    kinds: ["Eviction", "PodDisruptionBudget"],
  },
  {
    protobuf: "k8s.io.api.rbac.v1",
    group: "rbac.authorization.k8s.io",
    version: "v1",
    kinds: ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
  },
  {
    protobuf: "k8s.io.api.resource.v1",
    group: "resource.k8s.io",
    version: "v1",
    kinds: ["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"],
  },
  {
    protobuf: "k8s.io.api.scheduling.v1",
    group: "scheduling.k8s.io",
    version: "v1",
    kinds: ["PriorityClass"],
  },
  {
    protobuf: "k8s.io.api.storage.v1",
    group: "storage.k8s.io",
    version: "v1",
    kinds: [
      "CSIDriver",
      "CSINode",
      "CSIStorageCapacity",
      "StorageClass",
      "VolumeAttachment",
      "VolumeAttributesClass",
    ],
  },
];

/** `k8s.io.api.core.v1` becomes `core.v1`: how the tables and the marks in the rooms name packages. */
export function shortPackage(protobuf: string): string {
  const parts = protobuf.split(".");
  return parts.slice(-2).join(".");
}
