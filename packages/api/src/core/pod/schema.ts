import type { SchemaMarks } from "../../schema-marks.ts";

/** What the generated tables leave out of the types of this room: see {@link SchemaMarks}. */
export const marks: SchemaMarks = {
  "core.v1": {
    ContainerPort: {
      protocol: "default(TCP)",
    },
    AppArmorProfile: {
      ".": "union(type,localhostProfile)",
      localhostProfile: "pointer",
    },
    AzureDiskVolumeSource: {
      cachingMode: "pointer",
      fsType: "pointer",
      readOnly: "pointer",
      kind: "pointer",
    },
    CSIVolumeSource: {
      readOnly: "pointer",
      fsType: "pointer",
    },
    ClusterTrustBundleProjection: {
      name: "pointer",
      signerName: "pointer",
      optional: "pointer",
    },
    ConfigMapEnvSource: {
      optional: "pointer",
    },
    ConfigMapKeySelector: {
      ".": "atomic",
      optional: "pointer",
    },
    ConfigMapProjection: {
      optional: "pointer",
    },
    ConfigMapVolumeSource: {
      defaultMode: "pointer",
      optional: "pointer",
    },
    Container: {
      env: "map(name) merge(name)",
      ports: "map(containerPort,protocol) merge(containerPort)",
      volumeDevices: "map(devicePath) merge(devicePath)",
      volumeMounts: "map(mountPath) merge(mountPath)",
      resources: "value",
      restartPolicy: "pointer",
    },
    ContainerRestartRuleOnExitCodes: {
      values: "set",
    },
    ContainerStateRunning: {
      startedAt: "value",
    },
    ContainerStateTerminated: {
      startedAt: "value",
      finishedAt: "value",
    },
    ContainerStatus: {
      allocatedResourcesStatus: "map(name) merge(name)",
      volumeMounts: "map(mountPath) merge(mountPath)",
      state: "value",
      lastState: "value",
      started: "pointer",
      stopSignal: "pointer",
    },
    DownwardAPIVolumeFile: {
      mode: "pointer",
    },
    DownwardAPIVolumeSource: {
      defaultMode: "pointer",
    },
    EphemeralContainer: {
      env: "map(name) merge(name)",
      ports: "map(containerPort,protocol) merge(containerPort)",
      volumeDevices: "map(devicePath) merge(devicePath)",
      volumeMounts: "map(mountPath) merge(mountPath)",
      resources: "value",
      restartPolicy: "pointer",
    },
    FCVolumeSource: {
      lun: "pointer",
    },
    FileKeySelector: {
      ".": "atomic",
      optional: "pointer",
    },
    GRPCAction: {
      service: "null",
    },
    HostPathVolumeSource: {
      type: "pointer",
    },
    ISCSIVolumeSource: {
      initiatorName: "pointer",
    },
    KeyToPath: {
      mode: "pointer",
    },
    Lifecycle: {
      stopSignal: "pointer",
    },
    LocalObjectReference: {
      ".": "atomic",
      name: "default()",
    },
    NodeAllocatableResourceClaimStatus: {
      containers: "set",
    },
    NodeSelector: {
      ".": "atomic",
    },
    NodeSelectorTerm: {
      ".": "atomic",
    },
    ObjectFieldSelector: {
      ".": "atomic",
    },
    PersistentVolumeClaimSpec: {
      resources: "value",
      storageClassName: "pointer",
      volumeMode: "pointer",
      volumeAttributesClassName: "pointer",
    },
    PersistentVolumeClaimTemplate: {
      metadata: "value",
    },
    PodCertificateProjection: {
      maxExpirationSeconds: "pointer",
    },
    PodCondition: {
      lastProbeTime: "value",
      lastTransitionTime: "value",
    },
    PodDNSConfigOption: {
      value: "pointer",
    },
    PodResourceClaim: {
      resourceClaimName: "pointer",
      resourceClaimTemplateName: "pointer",
    },
    PodResourceClaimStatus: {
      resourceClaimName: "pointer",
    },
    PodSchedulingGroup: {
      ".": "union(,podGroupName)",
      podGroupName: "pointer",
    },
    PodSecurityContext: {
      runAsUser: "pointer",
      runAsGroup: "pointer",
      runAsNonRoot: "pointer",
      supplementalGroupsPolicy: "pointer",
      fsGroup: "pointer",
      fsGroupChangePolicy: "pointer",
      seLinuxChangePolicy: "pointer",
    },
    PodSpec: {
      containers: "map(name) merge(name)",
      ephemeralContainers: "map(name) merge(name)",
      hostAliases: "map(ip) merge(ip)",
      imagePullSecrets: "map(name) merge(name)",
      initContainers: "map(name) merge(name)",
      nodeSelector: "atomic",
      resourceClaims: "map(name) merge+retainKeys(name)",
      schedulingGates: "map(name) merge(name)",
      topologySpreadConstraints: "map(topologyKey,whenUnsatisfiable) merge(topologyKey)",
      volumes: "map(name) merge+retainKeys(name)",
      terminationGracePeriodSeconds: "pointer",
      activeDeadlineSeconds: "pointer",
      automountServiceAccountToken: "pointer",
      shareProcessNamespace: "pointer",
      priority: "pointer",
      runtimeClassName: "pointer",
      enableServiceLinks: "pointer",
      preemptionPolicy: "pointer",
      setHostnameAsFQDN: "pointer",
      hostUsers: "pointer",
      hostnameOverride: "pointer",
    },
    PodStatus: {
      conditions: "map(type) merge(type)",
      hostIPs: "merge(ip)",
      podIPs: "map(ip) merge(ip)",
      resourceClaimStatuses: "map(name) merge+retainKeys(name)",
    },
    Probe: {
      terminationGracePeriodSeconds: "pointer",
    },
    ProjectedVolumeSource: {
      sources: "value",
      defaultMode: "pointer",
    },
    ResourceFieldSelector: {
      ".": "atomic",
      divisor: "value",
    },
    ResourceHealth: {
      message: "pointer",
    },
    ResourceRequirements: {
      claims: "map(name)",
    },
    ResourceStatus: {
      resources: "map(resourceID)",
    },
    ScaleIOVolumeSource: {
      secretRef: "null",
    },
    SeccompProfile: {
      ".": "union(type,localhostProfile)",
      localhostProfile: "pointer",
    },
    SecretEnvSource: {
      optional: "pointer",
    },
    SecretKeySelector: {
      ".": "atomic",
      optional: "pointer",
    },
    SecretProjection: {
      optional: "pointer",
    },
    SecretVolumeSource: {
      defaultMode: "pointer",
      optional: "pointer",
    },
    SecurityContext: {
      privileged: "pointer",
      runAsUser: "pointer",
      runAsGroup: "pointer",
      runAsNonRoot: "pointer",
      readOnlyRootFilesystem: "pointer",
      allowPrivilegeEscalation: "pointer",
      procMount: "pointer",
    },
    ServiceAccountTokenProjection: {
      expirationSeconds: "pointer",
    },
    Toleration: {
      tolerationSeconds: "pointer",
    },
    TopologySpreadConstraint: {
      minDomains: "pointer",
      nodeAffinityPolicy: "pointer",
      nodeTaintsPolicy: "pointer",
    },
    TypedLocalObjectReference: {
      ".": "atomic",
      apiGroup: "null",
    },
    TypedObjectReference: {
      apiGroup: "null",
      namespace: "pointer",
    },
    VolumeMount: {
      recursiveReadOnly: "pointer",
      mountPropagation: "pointer",
    },
    VolumeMountStatus: {
      recursiveReadOnly: "pointer",
    },
    WindowsSecurityContextOptions: {
      gmsaCredentialSpecName: "pointer",
      gmsaCredentialSpec: "pointer",
      runAsUserName: "pointer",
      hostProcess: "pointer",
    },
  },
};
