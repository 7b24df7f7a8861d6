import type {
  Container,
  DownwardAPIVolumeFile,
  EphemeralContainer,
  LifecycleHandler,
  PodSpec,
  PodTemplateSpec,
  Probe,
  ResourceRequirements,
  Volume,
} from "../../generated/core-v1.generated.ts";
import { roundUpResources } from "../node/defaults.ts";
import { setClaimSpecDefaults } from "../persistentvolumeclaim/strategy.ts";
import { imageTag } from "./image-tag.ts";

/** Mode bits of the files in secret, config map, downward API and projected volumes: 0644. */
const DEFAULT_FILE_MODE = 0o644;

/**
 * Fills what a pod spec leaves out, wherever it stands: in a pod or in a template.
 *
 * Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go and zz_generated.defaults.go, SetObjectDefaults_PodTemplate.
 */
export function setPodSpecDefaults(spec: PodSpec): void {
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= "default-scheduler";
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume);
  for (const container of spec.initContainers ?? []) setContainerDefaults(container);
  for (const container of spec.containers ?? []) setContainerDefaults(container);
  for (const container of spec.ephemeralContainers ?? []) setContainerDefaults(container);
  roundUpResources(spec.overhead);
  roundRequirements(spec.resources);
  mirrorServiceAccount(spec);
}

/** Fills what a pod template leaves out, and gives it back: a new one where there was none, as in Go. */
export function setPodTemplateDefaults(template: PodTemplateSpec | undefined): PodTemplateSpec {
  // What decodes from nothing is a spec without containers: the type asks for them, validation reports them.
  const filled = template ?? ({} as PodTemplateSpec);
  filled.spec ??= {} as PodSpec;
  setPodSpecDefaults(filled.spec);
  return filled;
}

/** `serviceAccount` is the old name of `serviceAccountName`; both are shown. */
function mirrorServiceAccount(spec: PodSpec): void {
  spec.serviceAccountName ||= spec.serviceAccount ?? "";
  if (spec.serviceAccountName === "") {
    delete spec.serviceAccountName;
    delete spec.serviceAccount;
  } else {
    spec.serviceAccount = spec.serviceAccountName;
  }
}

/** Rounds limits and requests to thousandths. */
export function roundRequirements(requirements: ResourceRequirements | undefined): void {
  roundUpResources(requirements?.limits);
  roundUpResources(requirements?.requests);
}

function setContainerDefaults(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ||= imageTag(container.image ?? "") === "latest" ? "Always" : "IfNotPresent";
  container.terminationMessagePath ||= "/dev/termination-log";
  container.terminationMessagePolicy ||= "File";
  for (const port of container.ports ?? []) port.protocol ||= "TCP";
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef !== undefined) valueFrom.fieldRef.apiVersion ||= "v1";
    if (valueFrom?.fileKeyRef !== undefined) valueFrom.fileKeyRef.optional ??= false;
  }
  roundRequirements(container.resources);
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
    if (probe !== undefined) setProbeDefaults(probe);
  }
  setHandlerDefaults(container.lifecycle?.postStart);
  setHandlerDefaults(container.lifecycle?.preStop);
}

function setProbeDefaults(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  setHandlerDefaults(probe);
  if (probe.grpc !== undefined) probe.grpc.service ??= "";
}

function setHandlerDefaults(handler: Pick<LifecycleHandler, "httpGet"> | undefined): void {
  if (handler?.httpGet === undefined) return;
  handler.httpGet.path ||= "/";
  handler.httpGet.scheme ||= "HTTP";
}

function setVolumeDefaults(volume: Volume): void {
  if (Object.keys(volume).every((field) => field === "name")) volume.emptyDir = {};
  if (volume.image !== undefined) {
    volume.image.pullPolicy ||=
      imageTag(volume.image.reference ?? "") === "latest" ? "Always" : "IfNotPresent";
  }
  if (volume.hostPath !== undefined) volume.hostPath.type ??= "";
  if (volume.secret !== undefined) volume.secret.defaultMode ??= DEFAULT_FILE_MODE;
  if (volume.configMap !== undefined) volume.configMap.defaultMode ??= DEFAULT_FILE_MODE;
  if (volume.downwardAPI !== undefined) {
    volume.downwardAPI.defaultMode ??= DEFAULT_FILE_MODE;
    setDownwardFileDefaults(volume.downwardAPI.items);
  }
  if (volume.projected !== undefined) {
    volume.projected.defaultMode ??= DEFAULT_FILE_MODE;
    for (const { downwardAPI, serviceAccountToken } of volume.projected.sources ?? []) {
      setDownwardFileDefaults(downwardAPI?.items);
      if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= 3600;
    }
  }
  const claim = volume.ephemeral?.volumeClaimTemplate;
  if (claim !== undefined) {
    claim.spec ??= {};
    setClaimSpecDefaults(claim.spec);
  }
  setNetworkVolumeDefaults(volume);
}

function setNetworkVolumeDefaults({ iscsi, rbd, azureDisk, scaleIO }: Volume): void {
  if (iscsi !== undefined) iscsi.iscsiInterface ||= "default";
  if (rbd !== undefined) {
    rbd.pool ||= "rbd";
    rbd.user ||= "admin";
    rbd.keyring ||= "/etc/ceph/keyring";
  }
  if (azureDisk !== undefined) {
    azureDisk.cachingMode ??= "ReadWrite";
    azureDisk.fsType ??= "ext4";
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= "Shared";
  }
  if (scaleIO !== undefined) {
    scaleIO.storageMode ||= "ThinProvisioned";
    scaleIO.fsType ||= "xfs";
  }
}

function setDownwardFileDefaults(items: readonly DownwardAPIVolumeFile[] | undefined): void {
  for (const { fieldRef } of items ?? []) if (fieldRef !== undefined) fieldRef.apiVersion ||= "v1";
}
