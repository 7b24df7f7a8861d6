import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  inclusiveRange,
  invalid,
  notSupported,
  required,
} from "@binnacle/apimachinery";
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  CinderVolumeSource,
  CSIVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GlusterfsVolumeSource,
  ISCSIVolumeSource,
  LocalObjectReference,
  NFSVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  StorageOSVolumeSource,
} from "../../generated/core-v1.generated.ts";
import { validateDriverName } from "../persistentvolume/volume-sources.ts";

// Each follows the function of the same name in kubernetes v1.36 pkg/apis/core/validation/validation.go.

function need(value: unknown, path: string): FieldError[] {
  return value ? [] : [required(path)];
}

function needSecretName(reference: LocalObjectReference | undefined, path: string): FieldError[] {
  return reference === undefined ? [] : need(reference.name, `${path}.secretRef.name`);
}

function validatePartition(partition: number | undefined, path: string): FieldError[] {
  const value = partition ?? 0;
  if (value >= 0 && value <= 255) return [];
  return [invalid(`${path}.partition`, value, inclusiveRange(1, 255))]; // Upstream's text; 0 is allowed.
}

export function validateGcePersistentDisk(disk: GCEPersistentDiskVolumeSource, path: string): FieldError[] {
  return [...need(disk.pdName, `${path}.pdName`), ...validatePartition(disk.partition, path)];
}

export function validateAwsElasticBlockStore(
  disk: AWSElasticBlockStoreVolumeSource,
  path: string,
): FieldError[] {
  return [...need(disk.volumeID, `${path}.volumeID`), ...validatePartition(disk.partition, path)];
}

export function validateNfs(nfs: NFSVolumeSource, path: string): FieldError[] {
  const errors = [...need(nfs.server, `${path}.server`), ...need(nfs.path, `${path}.path`)];
  if (!nfs.path?.startsWith("/"))
    errors.push(invalid(`${path}.path`, nfs.path ?? "", "must be an absolute path"));
  return errors;
}

const ISCSI_NAMES: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-z0-9-.]+)(:([^,;*&$|\s]+))$/i,
  eui: /^eui\.[0-9a-z]{16}$/i,
  naa: /^naa\.[0-9a-z]{32}$/i,
};

function validateIscsiName(name: string, path: string): FieldError[] {
  const pattern = ISCSI_NAMES[name.slice(0, 3)];
  if (pattern === undefined)
    return [invalid(path, name, "must be valid format starting with iqn, eui, or naa")];
  return pattern.test(name) ? [] : [invalid(path, name, "must be valid format")];
}

export function validateIscsi(iscsi: ISCSIVolumeSource, path: string, volumeName: string): FieldError[] {
  const errors = need(iscsi.targetPortal, `${path}.targetPortal`);
  if (!iscsi.iqn) errors.push(required(`${path}.iqn`));
  else errors.push(...validateIscsiName(iscsi.iqn, `${path}.iqn`));
  const lun = iscsi.lun ?? 0;
  if (lun < 0 || lun > 255) errors.push(invalid(`${path}.lun`, lun, inclusiveRange(0, 255)));
  if ((iscsi.chapAuthDiscovery || iscsi.chapAuthSession) && iscsi.secretRef === undefined) {
    errors.push(required(`${path}.secretRef`));
  }
  if (iscsi.initiatorName === undefined) return errors;
  errors.push(...validateIscsiName(iscsi.initiatorName, `${path}.initiatorname`));
  if (`${volumeName}:${iscsi.targetPortal ?? ""}`.length > 64) {
    const why =
      "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
    errors.push(invalid(path.replace(/\.iscsi$/, ".name"), volumeName, why));
  }
  return errors;
}

export function validateGlusterfs(glusterfs: GlusterfsVolumeSource, path: string): FieldError[] {
  return [...need(glusterfs.endpoints, `${path}.endpoints`), ...need(glusterfs.path, `${path}.path`)];
}

export function validateFlocker(
  { datasetName, datasetUUID }: FlockerVolumeSource,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!datasetName && !datasetUUID)
    errors.push(required(path, "one of datasetName and datasetUUID is required"));
  if (datasetName && datasetUUID) {
    errors.push(invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously"));
  }
  if (datasetName?.includes("/"))
    errors.push(invalid(`${path}.datasetName`, datasetName, "must not contain '/'"));
  return errors;
}

export function validateRbd(rbd: RBDVolumeSource, path: string): FieldError[] {
  return [...need(rbd.monitors?.length, `${path}.monitors`), ...need(rbd.image, `${path}.image`)];
}

export function validateCinder(cinder: CinderVolumeSource, path: string): FieldError[] {
  return [...need(cinder.volumeID, `${path}.volumeID`), ...needSecretName(cinder.secretRef, path)];
}

export function validateQuobyte(quobyte: QuobyteVolumeSource, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const pairs = "must be a host:port pair or multiple pairs separated by commas";
  if (!quobyte.registry) errors.push(required(`${path}.registry`, pairs));
  else if ((quobyte.tenant ?? "").length >= 65) {
    errors.push(required(`${path}.tenant`, "must be a UUID and may not exceed a length of 64 characters"));
  } else {
    for (const pair of quobyte.registry.split(",")) {
      if (!/^(?:[^:[\]]*|\[[^[\]]*\]):[^:]*$/.test(pair)) {
        errors.push(invalid(`${path}.registry`, quobyte.registry, pairs));
      }
    }
  }
  return [...errors, ...need(quobyte.volume, `${path}.volume`)];
}

export function validateFc({ targetWWNs, wwids, lun }: FCVolumeSource, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const named = (targetWWNs ?? []).length > 0;
  const identified = (wwids ?? []).length > 0;
  if (!named && !identified) {
    errors.push(required(`${path}.targetWWNs`, "must specify either targetWWNs or wwids, but not both"));
  }
  if (named && identified) {
    const why = "targetWWNs and wwids can not be specified simultaneously";
    errors.push(invalid(`${path}.targetWWNs`, targetWWNs, why));
  }
  if (named && lun === undefined) {
    errors.push(required(`${path}.lun`, "lun is required if targetWWNs is specified"));
  } else if (named && lun !== undefined && (lun < 0 || lun > 255)) {
    errors.push(invalid(`${path}.lun`, lun, inclusiveRange(0, 255)));
  }
  return errors;
}

export function validateFlexVolume({ driver, options }: FlexVolumeSource, path: string): FieldError[] {
  const errors = need(driver, `${path}.driver`);
  for (const key of Object.keys(options ?? {})) {
    const domain = `.${key.split("/", 1)[0]!.toLowerCase()}`;
    if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
      const why = "kubernetes.io and k8s.io namespaces are reserved";
      errors.push(invalid(`${path}.options[${key}]`, key, why));
    }
  }
  return errors;
}

const CACHING_MODES: readonly string[] = ["None", "ReadOnly", "ReadWrite"];
const DISK_KINDS: readonly string[] = ["Dedicated", "Managed", "Shared"];
const MANAGED_DISK =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const BLOB_DISK = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

export function validateAzureDisk(disk: AzureDiskVolumeSource, path: string): FieldError[] {
  const { diskName, diskURI = "", cachingMode, kind } = disk;
  const errors = [...need(diskName, `${path}.diskName`), ...need(diskURI, `${path}.diskURI`)];
  if (cachingMode !== undefined && !CACHING_MODES.includes(cachingMode)) {
    errors.push(notSupported(`${path}.cachingMode`, cachingMode, CACHING_MODES));
  }
  if (kind === undefined) return errors;
  if (!DISK_KINDS.includes(kind)) errors.push(notSupported(`${path}.kind`, kind, DISK_KINDS));
  if (kind === "Managed" && !diskURI.startsWith("/subscriptions/")) {
    errors.push(notSupported(`${path}.diskURI`, diskURI, [MANAGED_DISK]));
  } else if (kind !== "Managed" && !diskURI.startsWith("https://")) {
    errors.push(notSupported(`${path}.diskURI`, diskURI, [BLOB_DISK]));
  }
  return errors;
}

export function validateStorageos(volume: StorageOSVolumeSource, path: string): FieldError[] {
  const errors = volume.volumeName
    ? applyRule(dnsLabel, volume.volumeName, `${path}.volumeName`)
    : [required(`${path}.volumeName`)];
  if (volume.volumeNamespace) {
    errors.push(...applyRule(dnsLabel, volume.volumeNamespace, `${path}.volumeNamespace`));
  }
  return [...errors, ...needSecretName(volume.secretRef, path)];
}

export function validateCsi({ driver, nodePublishSecretRef }: CSIVolumeSource, path: string): FieldError[] {
  const errors = driver ? validateDriverName(driver, `${path}.driver`) : [required(`${path}.driver`)];
  if (nodePublishSecretRef === undefined) return errors;
  const { name } = nodePublishSecretRef;
  if (!name) errors.push(required(`${path}.nodePublishSecretRef.name`));
  else errors.push(...applyRule(dnsSubdomain, name, `${path}.name`));
  return errors;
}
