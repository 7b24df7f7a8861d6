import type { Pod } from "@binnacle/api";
import { isNotFound, type OwnerReference } from "@binnacle/apimachinery";
import type { Discovery, ObjectKey } from "@binnacle/client";
import { controllerOf, type ReconcileContext } from "@binnacle/controller-runtime";
import { deployments, replicaSets, replicationControllers, statefulSets } from "../../resource-types.ts";

/** How large the controllers of pods are meant to be, together. Source: disruption.go, getExpectedScale and finders. */
export async function expectedScale(
  pods: readonly Pod[],
  context: ReconcileContext,
  discovery: Discovery,
): Promise<number> {
  const sizes = new Map<string, number>();
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (controller === undefined || sizes.has(controller.uid)) continue;
    const found = await scaleOf(pod.metadata.namespace ?? "", controller, context, discovery);
    if (found !== undefined) sizes.set(found.uid, found.replicas);
    // A ReplicaSet of a Deployment counts as the Deployment: look at it once.
    if (found !== undefined && found.uid !== controller.uid) sizes.set(controller.uid, 0);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

async function scaleOf(
  namespace: string,
  reference: OwnerReference,
  { cache, client }: ReconcileContext,
  discovery: Discovery,
): Promise<{ uid: string; replicas: number } | undefined> {
  const key: ObjectKey = { namespace, name: reference.name };
  switch (`${reference.apiVersion.split("/")[0]}/${reference.kind}`) {
    case "apps/ReplicaSet": {
      const replicaSet = cache.get(replicaSets, key);
      if (replicaSet?.metadata.uid !== reference.uid) return undefined;
      const parent = controllerOf(replicaSet);
      const deployment =
        parent?.kind === "Deployment" ? cache.get(deployments, { namespace, name: parent.name }) : undefined;
      if (deployment !== undefined && deployment.metadata.uid === parent?.uid)
        return { uid: parent?.uid ?? "", replicas: deployment.spec.replicas ?? 1 };
      return { uid: reference.uid, replicas: replicaSet.spec.replicas ?? 1 };
    }
    case "apps/StatefulSet": {
      const statefulSet = cache.get(statefulSets, key);
      if (statefulSet?.metadata.uid !== reference.uid) return undefined;
      return { uid: reference.uid, replicas: statefulSet.spec.replicas ?? 1 };
    }
    case "v1/ReplicationController": {
      const controller = cache.get(replicationControllers, key);
      if (controller?.metadata.uid !== reference.uid) return undefined;
      return { uid: reference.uid, replicas: controller.spec.replicas ?? 1 };
    }
  }
  const type = await discovery.forKind(reference.apiVersion, reference.kind);
  if (type === undefined || !type.subresources.includes("scale"))
    throw new Error(
      `${reference.kind}.${reference.apiVersion.split("/")[0]} does not implement the scale subresource`,
    );
  try {
    const scale = await client.live.getScale(type, key);
    if (scale.metadata.uid !== undefined && scale.metadata.uid !== reference.uid) return undefined;
    return { uid: reference.uid, replicas: scale.spec.replicas ?? 0 };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
