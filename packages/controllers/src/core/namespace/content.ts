/**
 * Deletes what is in a namespace.
 *
 * Source: kubernetes v1.36 pkg/controller/namespace/deletion/namespaced_resources_deleter.go.
 */
import type { Pod } from "@binnacle/api";
import { isNotFound, isStatusError, type KubeObject, timeToMs } from "@binnacle/apimachinery";
import type { Client, DiscoveredResource, DiscoverySnapshot } from "@binnacle/client";
import { isPodFinished } from "../../pod-control/pod-state.ts";
import type { DeletionPass } from "./conditions.ts";

/** How long finalizers are given before the next look. */
const FINALIZER_SECONDS = 15;
const DEFAULT_GRACE_SECONDS = 30;

/** One pass over the content, and how long to wait before the next: 0 when nothing is left. */
export async function deleteContent(
  live: Client,
  snapshot: DiscoverySnapshot,
  namespace: { readonly name: string; readonly deletedAtMs: number },
  nowMs: number,
): Promise<{ pass: DeletionPass; waitSeconds: number }> {
  const deletionFailures: string[] = [];
  const remaining: { resource: DiscoveredResource; count: number }[] = [];
  const finalizers = new Map<string, number>();
  let waitSeconds = 0;

  const sweep = async (type: DiscoveredResource): Promise<void> => {
    try {
      const left = await deleteAll(live, type, namespace.name);
      if (left.length === 0) return;
      remaining.push({ resource: type, count: left.length });
      for (const each of left) {
        for (const name of each.metadata.finalizers ?? [])
          finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
      }
      const graceSeconds = isPods(type) ? gracefulSeconds(left as Pod[], namespace.deletedAtMs, nowMs) : 0; // Pods.
      waitSeconds = Math.max(waitSeconds, graceSeconds === 0 ? FINALIZER_SECONDS : graceSeconds);
    } catch (error) {
      deletionFailures.push(error instanceof Error ? error.message : String(error));
    }
  };

  const types = snapshot
    .preferredResources()
    .filter((type) => type.namespaced && type.verbs.includes("delete") && type.verbs.includes("list"));
  // Pods first: what they may still use (network policies, secrets) stays until they are gone.
  for (const type of types.filter(isPods)) await sweep(type);
  if (remaining.length === 0) await Promise.all(types.filter((type) => !isPods(type)).map(sweep));
  const discoveryFailures = snapshot.groups.flatMap((group) =>
    group.versions
      .filter((each) => each.isStale)
      .map(
        (each) =>
          `${group.name}/${each.version}: stale GroupVersion discovery: ${group.name}/${each.version}`,
      ),
  );
  return { pass: { discoveryFailures, deletionFailures, remaining, finalizers }, waitSeconds };
}

/** Gives what is left: objects with finalizers or a grace period. */
async function deleteAll(live: Client, type: DiscoveredResource, namespace: string): Promise<KubeObject[]> {
  const before = await listIfServed(live, type, namespace);
  if (before.length === 0) return [];
  if (type.verbs.includes("deletecollection")) {
    await live.deleteCollection(type, { namespace, propagationPolicy: "Background" });
  } else {
    for (const each of before) {
      try {
        await live.delete(type, each, { propagationPolicy: "Background" });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }
  return listIfServed(live, type, namespace);
}

/** A resource that has vanished since discovery, or cannot be listed, has no content. */
async function listIfServed(
  live: Client,
  type: DiscoveredResource,
  namespace: string,
): Promise<KubeObject[]> {
  try {
    return (await live.listAll(type, { namespace })).items;
  } catch (error) {
    if (isStatusError(error) && (error.code === 404 || error.code === 405)) return [];
    throw error;
  }
}

/** How long the slowest pod may take to stop. */
function gracefulSeconds(left: readonly Pod[], deletedAtMs: number, nowMs: number): number {
  const longest = left
    .filter((pod) => !isPodFinished(pod))
    .reduce(
      (most, pod) => Math.max(most, pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS),
      0,
    );
  const elapsed = (nowMs - (Number.isNaN(deletedAtMs) ? nowMs : deletedAtMs)) / 1000;
  return elapsed >= longest ? 0 : Math.ceil(longest - elapsed);
}

function isPods(type: DiscoveredResource): boolean {
  return type.group === "" && type.resource === "pods";
}

/** When the deletion of the namespace was asked for. */
export function deletedAtMs(namespace: KubeObject): number {
  return timeToMs(namespace.metadata.deletionTimestamp);
}
