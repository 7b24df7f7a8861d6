import type { Container, Pod, Volume } from "@binnacle/api";

/**
 * A kind of API object that the pod refers to, as messages name it; undefined when there is none.
 *
 * Source: kubernetes v1.36 pkg/api/pod/util.go, HasAPIObjectReference.
 */
export function referredResource({ spec }: Pod): string | undefined {
  const containers: Container[] = [
    ...(spec.initContainers ?? []),
    ...spec.containers,
    ...(spec.ephemeralContainers ?? []),
  ];
  const volumes = spec.volumes ?? [];
  if ((spec.serviceAccountName ?? "") !== "") return "serviceaccounts";
  const hasSecret =
    (spec.imagePullSecrets ?? []).length > 0 ||
    containers.some((container) => readsFrom(container, "secretKeyRef", "secretRef")) ||
    volumes.some(usesSecret);
  if (hasSecret) return "secrets";
  const hasConfigMap =
    containers.some((container) => readsFrom(container, "configMapKeyRef", "configMapRef")) ||
    volumes.some(({ configMap, projected }) => configMap !== undefined || hasSource(projected, "configMap"));
  if (hasConfigMap) return "configmaps";
  if ((spec.resourceClaims ?? []).length > 0) return "resourceclaims";
  for (const volume of volumes) {
    const found = resourceOf(volume);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readsFrom(
  { env = [], envFrom = [] }: Container,
  one: "secretKeyRef" | "configMapKeyRef",
  all: "secretRef" | "configMapRef",
): boolean {
  return (
    env.some(({ valueFrom }) => valueFrom?.[one] !== undefined) ||
    envFrom.some((source) => source[all] !== undefined)
  );
}

function usesSecret(volume: Volume): boolean {
  const { secret, projected, azureFile, csi } = volume;
  const withReference = [
    volume.cephfs,
    volume.cinder,
    volume.flexVolume,
    volume.iscsi,
    volume.rbd,
    volume.scaleIO,
    volume.storageos,
  ];
  return (
    secret !== undefined ||
    azureFile !== undefined ||
    csi?.nodePublishSecretRef !== undefined ||
    hasSource(projected, "secret") ||
    withReference.some((source) => source?.secretRef !== undefined)
  );
}

function resourceOf(volume: Volume): string | undefined {
  const { projected } = volume;
  if (volume.csi !== undefined) return "csidrivers (via CSI volumes)";
  if (volume.glusterfs !== undefined) return "endpoints (via glusterFS volumes)";
  if (volume.persistentVolumeClaim !== undefined) return "persistentvolumeclaims";
  if (volume.ephemeral !== undefined) return "persistentvolumeclaims (via ephemeral volumes)";
  if (hasSource(projected, "serviceAccountToken")) return "serviceaccounts (via projected volumes)";
  if (hasSource(projected, "clusterTrustBundle")) return "clustertrustbundles";
  return hasSource(projected, "podCertificate") ? "podcertificates" : undefined;
}

type Projected = NonNullable<Volume["projected"]>;
type Source = NonNullable<Projected["sources"]>[number];

function hasSource(projected: Projected | undefined, kind: keyof Source): boolean {
  return (projected?.sources ?? []).some((source) => source[kind] !== undefined);
}
