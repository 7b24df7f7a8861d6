import {
  matchesNodeSelectorTerms,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
} from "@binnacle/api";
import { type Plugin, type PluginContext, unresolvable, type Verdict } from "../../framework/framework.ts";

/**
 * A pod waits for its claims to be bound, and runs where its volumes can be reached.
 *
 * Source: kubernetes v1.36 pkg/scheduler/framework/plugins/volumebinding/volume_binding.go.
 */
export const volumeBinding: Plugin = {
  name: "VolumeBinding",
  preFilter(pod, context) {
    const bound: PersistentVolume[] = [];
    for (const name of claimNamesOf(pod)) {
      const claim = context.findClaim(pod.metadata.namespace ?? "", name);
      const verdict = judge(claim, name, context);
      if (verdict !== undefined) return { verdict };
      const volume = context.findVolume(claim?.spec.volumeName ?? "");
      if (volume !== undefined) bound.push(volume);
    }
    return { state: bound };
  },
  filter(_pod, node, state) {
    for (const volume of state as readonly PersistentVolume[]) {
      const terms = volume.spec.nodeAffinity?.required?.nodeSelectorTerms;
      if (terms !== undefined && !matchesNodeSelectorTerms(terms, node.node)) {
        return unresolvable("node(s) didn't match PersistentVolume's node affinity");
      }
    }
    return undefined;
  },
};

function judge(claim: PersistentVolumeClaim | undefined, name: string, context: PluginContext): Verdict {
  if (claim === undefined) return unresolvable(`persistentvolumeclaim ${JSON.stringify(name)} not found`);
  if (claim.metadata.deletionTimestamp !== undefined) {
    return unresolvable(`persistentvolumeclaim ${JSON.stringify(name)} is being deleted`);
  }
  if (claim.status?.phase === "Lost") {
    return unresolvable(
      `persistentvolumeclaim ${JSON.stringify(name)} bound to non-existent persistentvolume`,
    );
  }
  if ((claim.spec.volumeName ?? "") !== "" && claim.status?.phase === "Bound") return undefined;
  const storageClass = context.findStorageClass(claim.spec.storageClassName ?? "");
  if (storageClass?.volumeBindingMode === "WaitForFirstConsumer") {
    return unresolvable("node(s) did not find available persistent volumes to bind");
  }
  return unresolvable("pod has unbound immediate PersistentVolumeClaims");
}

/** The claims a pod uses: named ones, and those made for its ephemeral volumes. */
function claimNamesOf(pod: Pod): string[] {
  const names: string[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    if (volume.persistentVolumeClaim !== undefined) names.push(volume.persistentVolumeClaim.claimName);
    else if (volume.ephemeral !== undefined) names.push(`${pod.metadata.name}-${volume.name}`);
  }
  return names;
}
