import type { ContainerStatus, Pod } from "@binnacle/api";
import { timeToMs } from "@binnacle/apimachinery";
import { isPodReady, podCondition } from "./pod-state.ts";

/** An integer; of two otherwise equal pods the one with the lower cost is deleted first. Default 0. */
const DELETION_COST_ANNOTATION = "controller.kubernetes.io/pod-deletion-cost";

const PHASE_ORDER: ReadonlyMap<string, number> = new Map([
  ["Pending", 0],
  ["Unknown", 1],
  ["Running", 2],
]);

/**
 * The pods in the order in which to delete them: those whose loss is felt least come first. `crowding` says how many
 * pods of the same service share the pod's node.
 *
 * Source: kubernetes v1.36 pkg/controller/controller_utils.go, ActivePodsWithRanks.Less.
 */
export function rankForDeletion(pods: readonly Pod[], crowding: (pod: Pod) => number, nowMs: number): Pod[] {
  return [...pods].sort((a, b) => compare(a, b, crowding, nowMs));
}

/** How many of `related` (active pods of the same service) are on each node. */
export function countByNode(related: readonly Pod[]): (pod: Pod) => number {
  const counts = new Map<string, number>();
  for (const pod of related) {
    const node = pod.spec?.nodeName ?? "";
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return (pod) => counts.get(pod.spec?.nodeName ?? "") ?? 0;
}

function compare(a: Pod, b: Pod, crowding: (pod: Pod) => number, nowMs: number): number {
  const isAssigned = (pod: Pod): number => ((pod.spec?.nodeName ?? "") === "" ? 0 : 1);
  const phase = (pod: Pod): number => PHASE_ORDER.get(pod.status?.phase ?? "") ?? 0;
  const ready = (pod: Pod): number => (isPodReady(pod) ? 1 : 0);
  const difference =
    isAssigned(a) - isAssigned(b) ||
    phase(a) - phase(b) ||
    ready(a) - ready(b) ||
    deletionCost(a) - deletionCost(b) ||
    crowding(b) - crowding(a);
  if (difference !== 0) return difference;
  if (isPodReady(a) && isPodReady(b)) {
    const byReadiness = compareAges(readySince(a), readySince(b), a, b, nowMs);
    if (byReadiness !== 0) return byReadiness;
  }
  return (
    maxRestarts(b) - maxRestarts(a) ||
    compareAges(timeToMs(a.metadata.creationTimestamp), timeToMs(b.metadata.creationTimestamp), a, b, nowMs)
  );
}

/**
 * The younger first, on a logarithmic scale: pods of about the same age are told apart by their uids, so that not all
 * of the youngest node's pods go.
 */
function compareAges(aMs: number, bMs: number, a: Pod, b: Pod, nowMs: number): number {
  if (aMs === bMs || (Number.isNaN(aMs) && Number.isNaN(bMs))) return 0;
  // A missing time counts as the very latest.
  if (Number.isNaN(aMs)) return -1;
  if (Number.isNaN(bMs)) return 1;
  const difference = ageRank(nowMs - aMs) - ageRank(nowMs - bMs);
  if (difference !== 0) return difference;
  return (a.metadata.uid ?? "") < (b.metadata.uid ?? "") ? -1 : 1;
}

/** Upstream takes the logarithm of nanoseconds. */
function ageRank(ageMs: number): number {
  return ageMs > 0 ? Math.trunc(Math.log2(ageMs * 1e6)) : -1;
}

function readySince(pod: Pod): number {
  return timeToMs(podCondition(pod, "Ready")?.lastTransitionTime);
}

function maxRestarts(pod: Pod): number {
  const statuses: readonly ContainerStatus[] = pod.status?.containerStatuses ?? [];
  return statuses.reduce((most, status) => Math.max(most, status.restartCount), 0);
}

function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[DELETION_COST_ANNOTATION];
  // The API refuses others on update; what is not an integer counts as none.
  return typeof text === "string" && /^([+-]?[1-9][0-9]*|0)$/.test(text) ? Number(text) : 0;
}
