import type { PersistentVolume, PersistentVolumeSpec } from "../../generated/core-v1.generated.ts";
import { roundUpResources } from "../node/defaults.ts";

/** Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_PersistentVolume and those of its sources. */
export function setPersistentVolumeDefaults(volume: PersistentVolume): void {
  volume.status ??= {};
  volume.status.phase ??= "Pending";
  volume.spec ??= {};
  const { spec } = volume;
  spec.persistentVolumeReclaimPolicy ??= "Retain";
  spec.volumeMode ??= "Filesystem";
  roundUpResources(spec.capacity);
  setSourceDefaults(spec);
}

function setSourceDefaults(spec: PersistentVolumeSpec): void {
  if (spec.hostPath !== undefined) spec.hostPath.type ??= "";
  if (spec.iscsi !== undefined) spec.iscsi.iscsiInterface ??= "default";
  if (spec.rbd !== undefined) {
    spec.rbd.pool ??= "rbd";
    spec.rbd.user ??= "admin";
    spec.rbd.keyring ??= "/etc/ceph/keyring";
  }
  if (spec.azureDisk !== undefined) {
    spec.azureDisk.cachingMode ??= "ReadWrite";
    spec.azureDisk.kind ??= "Shared";
    spec.azureDisk.fsType ??= "ext4";
    spec.azureDisk.readOnly ??= false;
  }
  if (spec.scaleIO !== undefined) {
    spec.scaleIO.storageMode ??= "ThinProvisioned";
    spec.scaleIO.fsType ??= "xfs";
  }
}
