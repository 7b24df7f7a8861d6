export { mutatingAdmissionPolicies } from "./admissionregistration/mutatingadmissionpolicy/index.ts";
export { mutatingAdmissionPolicyBindings } from "./admissionregistration/mutatingadmissionpolicybinding/index.ts";
export { mutatingWebhookConfigurations } from "./admissionregistration/mutatingwebhookconfiguration/index.ts";
export { validatingAdmissionPolicies } from "./admissionregistration/validatingadmissionpolicy/index.ts";
export { validatingAdmissionPolicyBindings } from "./admissionregistration/validatingadmissionpolicybinding/index.ts";
export { validatingWebhookConfigurations } from "./admissionregistration/validatingwebhookconfiguration/index.ts";
export { customResourceDefinitions } from "./apiextensions/customresourcedefinition/index.ts";
export { validateStructuralSchema } from "./apiextensions/customresourcedefinition/schema-validation.ts";
export { apiServices } from "./apiregistration/apiservice/index.ts";
export { controllerRevisions } from "./apps/controllerrevision/index.ts";
export { daemonSets } from "./apps/daemonset/index.ts";
export { deployments } from "./apps/deployment/index.ts";
export { replicaSets } from "./apps/replicaset/index.ts";
export { statefulSets } from "./apps/statefulset/index.ts";
export { selfSubjectReviews } from "./authentication/selfsubjectreview/index.ts";
export {
  setTokenRequestDefaults,
  tokenRequestSchema,
  validateTokenRequest,
} from "./authentication/tokenrequest/index.ts";
export { tokenReviews } from "./authentication/tokenreview/index.ts";
export { localSubjectAccessReviews } from "./authorization/localsubjectaccessreview/index.ts";
export { selfSubjectAccessReviews } from "./authorization/selfsubjectaccessreview/index.ts";
export { selfSubjectRulesReviews } from "./authorization/selfsubjectrulesreview/index.ts";
export { subjectAccessReviews } from "./authorization/subjectaccessreview/index.ts";
export { horizontalPodAutoscalers } from "./autoscaling/horizontalpodautoscaler/index.ts";
export {
  type CronSchedule,
  CronScheduleError,
  parseCronSchedule,
} from "./batch/cronjob/cron-schedule.ts";
export { cronJobs } from "./batch/cronjob/index.ts";
export { jobs } from "./batch/job/index.ts";
export { countIndexes, IndexListError } from "./batch/job/indexes.ts";
export { hasJobCondition, isJobFinished } from "./batch/job/status-validation.ts";
export {
  CONTROLLER_UID_LABEL,
  JOB_NAME_LABEL,
  LEGACY_CONTROLLER_UID_LABEL,
  LEGACY_JOB_NAME_LABEL,
} from "./batch/job/strategy.ts";
export { builtinResources } from "./builtins.ts";
export { certificateSigningRequests } from "./certificates/certificatesigningrequest/index.ts";
export { prepareCsrApproval } from "./certificates/certificatesigningrequest/strategy.ts";
export { validateCsrConditions } from "./certificates/certificatesigningrequest/validation.ts";
export {
  ageColumn,
  type ColumnDraft,
  columnsFor,
  createdAtColumn,
  formatLabels,
  integer as integerColumn,
  nameColumn,
  text as textColumn,
  wide as wideColumn,
} from "./column-builders.ts";
export { leases } from "./coordination/lease/index.ts";
export { bindings } from "./core/binding/index.ts";
export { validateBindingTarget } from "./core/binding/validation.ts";
export { componentStatuses } from "./core/componentstatus/index.ts";
export { configMaps } from "./core/configmap/index.ts";
export { endpoints } from "./core/endpoints/index.ts";
export { events } from "./core/event/index.ts";
export { limitRanges } from "./core/limitrange/index.ts";
export { namespaces } from "./core/namespace/index.ts";
export {
  NAMESPACE_NAME_LABEL,
  prepareNamespaceForFinalize,
  validateNamespaceFinalizers,
} from "./core/namespace/strategy.ts";
export { roundUpResources } from "./core/node/defaults.ts";
export { nodes } from "./core/node/index.ts";
export { isExtendedResource, isIntegerResource, validateResourceAmount } from "./core/node/validation.ts";
export { persistentVolumes } from "./core/persistentvolume/index.ts";
export { persistentVolumeClaims } from "./core/persistentvolumeclaim/index.ts";
export { setClaimSpecDefaults } from "./core/persistentvolumeclaim/strategy.ts";
export { validateClaimSpec } from "./core/persistentvolumeclaim/validation.ts";
export {
  prepareEphemeralContainersForUpdate,
  validateEphemeralContainersUpdate,
} from "./core/pod/ephemeral-containers.ts";
export { pods } from "./core/pod/index.ts";
export {
  matchesNodeSelectorTerm,
  matchesNodeSelectorTerms,
  matchesRequiredNodeAffinity,
} from "./core/pod/node-affinity.ts";
export { aggregateContainers, isSidecar } from "./core/pod/pod-resources.ts";
export { setPodSpecDefaults, setPodTemplateDefaults } from "./core/pod/pod-spec-defaults.ts";
export { type QosClass, qosClassOf } from "./core/pod/qos.ts";
export { prepareResizeForUpdate, validateResizeUpdate } from "./core/pod/resize.ts";
export { containerShouldRestart, matchingRestartRule } from "./core/pod/restart.ts";
export { validatePodTemplateSpec } from "./core/pod/template.ts";
export { isTolerated, tolerates } from "./core/pod/tolerations.ts";
export { warningsForPodTemplate } from "./core/pod/warnings.ts";
export { podTemplates } from "./core/podtemplate/index.ts";
export { replicationControllers } from "./core/replicationcontroller/index.ts";
export { resourceQuotas } from "./core/resourcequota/index.ts";
export {
  addUsage,
  countedResource,
  type QuotaUsage,
  quotaCovers,
  quotaUsage,
  usedOf,
} from "./core/resourcequota/usage.ts";
export { secrets } from "./core/secret/index.ts";
export { services } from "./core/service/index.ts";
export {
  isExternallyAccessible,
  isHeadless,
  needsClusterIp,
  needsHealthCheckNodePort,
  needsNodePort,
} from "./core/service/service-kind.ts";
export { normalizeClusterIps, patchAllocatedValues } from "./core/service/strategy.ts";
export { serviceAccounts } from "./core/serviceaccount/index.ts";
export { endpointSlices } from "./discovery/endpointslice/index.ts";
export { flowSchemas } from "./flowcontrol/flowschema/index.ts";
export { priorityLevelConfigurations } from "./flowcontrol/prioritylevelconfiguration/index.ts";
export type {
  ApplyConfiguration,
  AuditAnnotation,
  ExpressionWarning,
  MatchCondition,
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicyBindingSpec,
  MutatingAdmissionPolicySpec,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
  RuleWithOperations,
  ServiceReference,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyStatus,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from "./generated/admissionregistration-v1.generated.ts";
export type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  CustomResourceSubresourceStatus,
  CustomResourceSubresources,
  CustomResourceValidation,
  ExternalDocumentation,
  JSONSchemaProps,
  SelectableField,
  ValidationRule,
  WebhookConversion,
} from "./generated/apiextensions-v1.generated.ts";
export type {
  APIService,
  APIServiceCondition,
  APIServiceSpec,
  APIServiceStatus,
} from "./generated/apiregistration-v1.generated.ts";
export type {
  ControllerRevision,
  DaemonSet,
  DaemonSetCondition,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
  Deployment,
  DeploymentCondition,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  ReplicaSet,
  ReplicaSetCondition,
  ReplicaSetSpec,
  ReplicaSetStatus,
  RollingUpdateDaemonSet,
  RollingUpdateDeployment,
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetCondition,
  StatefulSetOrdinals,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from "./generated/apps-v1.generated.ts";
export type {
  BoundObjectReference,
  SelfSubjectReview,
  SelfSubjectReviewStatus,
  TokenRequest,
  TokenRequestSpec,
  TokenRequestStatus,
  TokenReview,
  TokenReviewSpec,
  TokenReviewStatus,
  UserInfo,
} from "./generated/authentication-v1.generated.ts";
export type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from "./generated/authorization-v1.generated.ts";
export type {
  HorizontalPodAutoscaler as HorizontalPodAutoscalerV1,
  Scale,
  ScaleSpec,
  ScaleStatus,
} from "./generated/autoscaling-v1.generated.ts";
export type {
  ContainerResourceMetricSource,
  ContainerResourceMetricStatus,
  CrossVersionObjectReference,
  ExternalMetricSource,
  ExternalMetricStatus,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  HPAScalingPolicy,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ObjectMetricSource,
  ObjectMetricStatus,
  PodsMetricSource,
  PodsMetricStatus,
  ResourceMetricSource,
  ResourceMetricStatus,
} from "./generated/autoscaling-v2.generated.ts";
export type {
  CronJob,
  CronJobSpec,
  CronJobStatus,
  Job,
  JobCondition,
  JobSpec,
  JobStatus,
  JobTemplateSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicy,
  SuccessPolicyRule,
  UncountedTerminatedPods,
} from "./generated/batch-v1.generated.ts";
export type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
  CertificateSigningRequestStatus,
} from "./generated/certificates-v1.generated.ts";
export type { Lease, LeaseSpec } from "./generated/coordination-v1.generated.ts";
export type {
  Affinity,
  AppArmorProfile,
  AttachedVolume,
  Binding,
  Capabilities,
  ClientIPConfig,
  ClusterTrustBundleProjection,
  ComponentCondition,
  ComponentStatus,
  ConfigMap,
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  ConfigMapNodeConfigSource,
  ConfigMapProjection,
  Container,
  ContainerExtendedResourceRequest,
  ContainerImage,
  ContainerPort,
  ContainerResizePolicy,
  ContainerRestartRule,
  ContainerRestartRuleOnExitCodes,
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  ContainerUser,
  DaemonEndpoint,
  DownwardAPIProjection,
  DownwardAPIVolumeFile,
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Endpoints,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  EphemeralContainer,
  Event,
  EventSeries,
  EventSource,
  ExecAction,
  FileKeySelector,
  GRPCAction,
  HostAlias,
  HostIP,
  HTTPGetAction,
  HTTPHeader,
  ImageVolumeStatus,
  KeyToPath,
  Lifecycle,
  LifecycleHandler,
  LimitRange,
  LimitRangeItem,
  LimitRangeSpec,
  LinuxContainerUser,
  LoadBalancerIngress,
  LoadBalancerStatus,
  LocalObjectReference,
  ModifyVolumeStatus,
  Namespace,
  NamespaceCondition,
  NamespaceSpec,
  NamespaceStatus,
  Node,
  NodeAddress,
  NodeAffinity,
  NodeAllocatableResourceClaimStatus,
  NodeCondition,
  NodeConfigSource,
  NodeConfigStatus,
  NodeDaemonEndpoints,
  NodeFeatures,
  NodeRuntimeHandler,
  NodeRuntimeHandlerFeatures,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  NodeSpec,
  NodeStatus,
  NodeSwapStatus,
  NodeSystemInfo,
  ObjectFieldSelector,
  ObjectReference,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimCondition,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  PersistentVolumeClaimTemplate,
  PersistentVolumeSpec,
  PersistentVolumeStatus,
  Pod,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
  PodCertificateProjection,
  PodCondition,
  PodDNSConfig,
  PodDNSConfigOption,
  PodExtendedResourceClaimStatus,
  PodIP,
  PodOS,
  PodReadinessGate,
  PodResourceClaim,
  PodResourceClaimStatus,
  PodSchedulingGate,
  PodSchedulingGroup,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  PodTemplate,
  PodTemplateSpec,
  PortStatus,
  PreferredSchedulingTerm,
  Probe,
  ReplicationController,
  ReplicationControllerCondition,
  ReplicationControllerSpec,
  ReplicationControllerStatus,
  ResourceClaim,
  ResourceFieldSelector,
  ResourceHealth,
  ResourceQuota,
  ResourceQuotaSpec,
  ResourceQuotaStatus,
  ResourceRequirements,
  ResourceStatus,
  ScopedResourceSelectorRequirement,
  ScopeSelector,
  SELinuxOptions,
  SeccompProfile,
  Secret,
  SecretEnvSource,
  SecretKeySelector,
  SecretProjection,
  SecretReference,
  SecurityContext,
  Service,
  ServiceAccount,
  ServiceAccountTokenProjection,
  ServicePort,
  ServiceSpec,
  ServiceStatus,
  SessionAffinityConfig,
  SleepAction,
  Sysctl,
  Taint,
  TCPSocketAction,
  Toleration,
  TopologySelectorLabelRequirement,
  TopologySelectorTerm,
  TopologySpreadConstraint,
  TypedLocalObjectReference,
  TypedObjectReference,
  Volume,
  VolumeDevice,
  VolumeMount,
  VolumeMountStatus,
  VolumeNodeAffinity,
  VolumeProjection,
  VolumeResourceRequirements,
  VolumeStatus,
  WeightedPodAffinityTerm,
  WindowsSecurityContextOptions,
} from "./generated/core-v1.generated.ts";
export type {
  Endpoint,
  EndpointConditions,
  EndpointHints,
  EndpointPort as EndpointSlicePort,
  EndpointSlice,
  ForNode,
  ForZone,
} from "./generated/discovery-v1.generated.ts";
export type { Event as EventsV1Event } from "./generated/events-v1.generated.ts";
export type { FlowSchema, PriorityLevelConfiguration } from "./generated/flowcontrol-v1.generated.ts";
export type {
  DeleteOptions,
  LabelSelector,
  LabelSelectorRequirement,
  Preconditions,
} from "./generated/meta-v1.generated.ts";
export type {
  HTTPIngressPath,
  HTTPIngressRuleValue,
  Ingress,
  IngressBackend,
  IngressClass,
  IngressClassParametersReference,
  IngressClassSpec,
  IngressLoadBalancerIngress,
  IngressLoadBalancerStatus,
  IngressPortStatus,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressStatus,
  IngressTLS,
  IPAddress,
  IPAddressSpec,
  IPBlock,
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
  ParentReference,
  ServiceBackendPort,
  ServiceCIDR,
  ServiceCIDRSpec,
  ServiceCIDRStatus,
} from "./generated/networking-v1.generated.ts";
export type { RuntimeClass } from "./generated/node-v1.generated.ts";
export type {
  Eviction,
  PodDisruptionBudget,
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
} from "./generated/policy-v1.generated.ts";
export type {
  AggregationRule,
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from "./generated/rbac-v1.generated.ts";
export type { DeviceClass, ResourceClaimTemplate, ResourceSlice } from "./generated/resource-v1.generated.ts";
export type { PriorityClass } from "./generated/scheduling-v1.generated.ts";
export type {
  CSIDriver,
  CSIDriverSpec,
  CSINode,
  CSINodeDriver,
  CSINodeSpec,
  CSIStorageCapacity,
  StorageClass,
  TokenRequest as StorageTokenRequest,
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
  VolumeAttributesClass,
  VolumeError,
  VolumeNodeResources,
} from "./generated/storage-v1.generated.ts";
export { ingresses } from "./networking/ingress/index.ts";
export { DEFAULT_INGRESS_CLASS_ANNOTATION, ingressClasses } from "./networking/ingressclass/index.ts";
export { ipAddresses } from "./networking/ipaddress/index.ts";
export { networkPolicies } from "./networking/networkpolicy/index.ts";
export { serviceCidrs } from "./networking/servicecidr/index.ts";
export { runtimeClasses } from "./node/runtimeclass/index.ts";
export { podDisruptionBudgets } from "./policy/poddisruptionbudget/index.ts";
export { clusterRoles } from "./rbac/clusterrole/index.ts";
export { clusterRoleBindings } from "./rbac/clusterrolebinding/index.ts";
export { roles } from "./rbac/role/index.ts";
export { roleBindings } from "./rbac/rolebinding/index.ts";
export { deviceClasses } from "./resource/deviceclass/index.ts";
export { resourceClaims } from "./resource/resourceclaim/index.ts";
export { resourceClaimTemplates } from "./resource/resourceclaimtemplate/index.ts";
export { resourceSlices } from "./resource/resourceslice/index.ts";
export {
  HIGHEST_USER_PRIORITY,
  priorityClasses,
  SYSTEM_PRIORITIES,
} from "./scheduling/priorityclass/index.ts";
export { builtinSchema, builtinTypeNames } from "./schema-registry.ts";
export { csiDrivers } from "./storage/csidriver/index.ts";
export { csiNodes } from "./storage/csinode/index.ts";
export { csiStorageCapacities } from "./storage/csistoragecapacity/index.ts";
export { DEFAULT_CLASS_ANNOTATION, storageClasses } from "./storage/storageclass/index.ts";
export { volumeAttachments } from "./storage/volumeattachment/index.ts";
export { volumeAttributesClasses } from "./storage/volumeattributesclass/index.ts";
