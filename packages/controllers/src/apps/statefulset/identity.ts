/**
 * What makes a pod of a StatefulSet that very pod: its ordinal, name, labels and claims. Pure.
 *
 * Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go.
 */
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, StatefulSet } from "@binnacle/api";
import { podFromTemplate } from "../../pod-control/pod-from-template.ts";
import { statefulSets } from "../../resource-types.ts";

const POD_NAME_LABEL = "statefulset.kubernetes.io/pod-name";
const POD_INDEX_LABEL = "apps.kubernetes.io/pod-index";
export const REVISION_LABEL = "controller-revision-hash";

/** The number at the end of the pod's name; undefined for a pod of another name. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const match = /^(.*)-(\d+)$/.exec(pod.metadata.name ?? "");
  return match?.[1] === set.metadata.name ? Number(match?.[2]) : undefined;
}

export function startOrdinal(set: StatefulSet): number {
  return set.spec.ordinals?.start ?? 0;
}

export function isInRange(set: StatefulSet, ordinal: number): boolean {
  const start = startOrdinal(set);
  return ordinal >= start && ordinal < start + (set.spec.replicas ?? 1);
}

export function podName(set: StatefulSet, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

/** The pod of an ordinal, from the template of a revision. */
export function podOf(set: StatefulSet, ordinal: number, template: PodTemplateSpec, revision: string): Pod {
  const pod = podFromTemplate(template, { type: statefulSets, object: set });
  const name = podName(set, ordinal);
  const identified = withIdentity(set, { ...pod, metadata: { ...pod.metadata, name } }, ordinal);
  return {
    ...identified,
    metadata: {
      ...identified.metadata,
      labels: { ...identified.metadata.labels, [REVISION_LABEL]: revision },
    },
    spec: {
      ...withStorage(set, identified, ordinal).spec,
      hostname: name,
      ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}),
    },
  };
}

/** Whether labels and volumes are as the identity demands. */
export function hasIdentity(set: StatefulSet, pod: Pod, ordinal: number): boolean {
  const labels = pod.metadata.labels ?? {};
  const volumes = new Map(
    (pod.spec.volumes ?? []).map((volume) => [volume.name, volume.persistentVolumeClaim?.claimName]),
  );
  return (
    labels[POD_NAME_LABEL] === pod.metadata.name &&
    labels[POD_INDEX_LABEL] === String(ordinal) &&
    claimsOf(set, ordinal).every(({ volume, claim }) => volumes.get(volume) === claim.metadata.name)
  );
}

export function withIdentity(set: StatefulSet, pod: Pod, ordinal: number): Pod {
  const labels = {
    ...pod.metadata.labels,
    [POD_NAME_LABEL]: podName(set, ordinal),
    [POD_INDEX_LABEL]: String(ordinal),
  };
  return { ...pod, metadata: { ...pod.metadata, labels } };
}

function withStorage(set: StatefulSet, pod: Pod, ordinal: number): Pod {
  const claims = claimsOf(set, ordinal);
  if (claims.length === 0) return pod;
  const names = new Set(claims.map(({ volume }) => volume));
  const volumes = [
    ...claims.map(({ volume, claim }) => ({
      name: volume,
      persistentVolumeClaim: { claimName: claim.metadata.name ?? "" },
    })),
    ...(pod.spec.volumes ?? []).filter((volume) => !names.has(volume.name)),
  ];
  return { ...pod, spec: { ...pod.spec, volumes } };
}

/** The claims of an ordinal, and the volume that each is for. */
export function claimsOf(
  set: StatefulSet,
  ordinal: number,
): { volume: string; claim: PersistentVolumeClaim }[] {
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata, spec }) => {
    const volume = metadata.name ?? "";
    const { annotations } = metadata;
    return {
      volume,
      claim: {
        metadata: {
          name: `${volume}-${set.metadata.name}-${ordinal}`,
          namespace: set.metadata.namespace ?? "",
          labels: { ...metadata.labels, ...set.spec.selector.matchLabels },
          ...(annotations === undefined ? {} : { annotations }),
        },
        spec,
      },
    };
  });
}

/** Which revision the pod was made from. */
export function revisionOf(pod: Pod): string {
  return pod.metadata.labels?.[REVISION_LABEL] ?? "";
}
