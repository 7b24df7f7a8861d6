import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../generated/core-v1.generated.ts";
import { roundUpResources } from "../node/defaults.ts";

/** Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_PersistentVolumeClaim. */
export function setPersistentVolumeClaimDefaults(claim: PersistentVolumeClaim): void {
  claim.status ??= {};
  claim.status.phase ??= "Pending";
  claim.spec ??= {};
  setClaimSpecDefaults(claim.spec);
}

/** Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_PersistentVolumeClaimSpec. */
export function setClaimSpecDefaults(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= "Filesystem";
  roundUpResources(spec.resources?.requests);
  roundUpResources(spec.resources?.limits);
}

/** Source: kubernetes v1.36 pkg/registry/core/persistentvolumeclaim/strategy.go, PrepareForCreate. */
export function prepareClaimForCreate(claim: PersistentVolumeClaim): void {
  claim.status = { phase: "Pending" };
  normalizeDataSources(claim.spec ?? {});
}

/** Source: kubernetes v1.36 pkg/registry/core/persistentvolumeclaim/strategy.go, PrepareForUpdate. */
export function prepareClaimForUpdate(updated: PersistentVolumeClaim, old: PersistentVolumeClaim): void {
  updated.status = old.status ?? {};
  normalizeDataSources(updated.spec ?? {});
}

/**
 * `dataSource` and `dataSourceRef` say the same; a client may give either.
 *
 * Source: kubernetes v1.36 pkg/api/persistentvolumeclaim/util.go, NormalizeDataSources.
 */
function normalizeDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  // The feature of sources in other namespaces is off.
  if (dataSourceRef?.namespace !== undefined) delete dataSourceRef.namespace;
  if (dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = { ...dataSource };
  else if (dataSourceRef !== undefined && dataSource === undefined) {
    const { namespace: _, ...source } = dataSourceRef;
    spec.dataSource = source;
  }
}
