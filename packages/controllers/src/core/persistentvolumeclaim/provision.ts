import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "@binnacle/api";
import { claimReference } from "./claim-reference.ts";
import { PROVISIONED_BY } from "./matching.ts";

/** Volumes of classes with this provisioner are made here: directories of the node that simulated pods never touch. */
export const SIMULATED_PROVISIONER = "binnacle.dev/simulated-volume";

const DIRECTORY = "/var/lib/binnacle/volumes";

/** A volume made for one claim. The same claim always gets the same name, so that a second try finds the first. */
export function provisionedVolume(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
): PersistentVolume {
  const name = provisionedName(claim);
  const { accessModes, volumeMode, resources } = claim.spec;
  return {
    metadata: { name, annotations: { [PROVISIONED_BY]: storageClass.provisioner } },
    spec: {
      capacity: { storage: resources?.requests?.["storage"] ?? "0" },
      ...(accessModes === undefined ? {} : { accessModes }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
      ...(storageClass.mountOptions === undefined ? {} : { mountOptions: storageClass.mountOptions }),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
      storageClassName: storageClass.metadata.name ?? "",
      claimRef: claimReference(claim),
      hostPath: { path: `${DIRECTORY}/${name}`, type: "DirectoryOrCreate" },
    },
  };
}

export function provisionedName(claim: PersistentVolumeClaim): string {
  return `pvc-${claim.metadata.uid}`;
}
