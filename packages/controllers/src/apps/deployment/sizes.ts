/**
 * How large each ReplicaSet of a Deployment should be: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/deployment/{sync,rolling}.go and util/deployment_util.go.
 */
import type { Deployment, ReplicaSet } from "@binnacle/api";
import { timeToMs } from "@binnacle/apimachinery";
import { byCreation, desiredReplicasOf, maxReplicasOf } from "./revision.ts";
import { isRollingUpdate, maxSurge, maxUnavailable } from "./rollout-limits.ts";

/** A ReplicaSet and the size it should get. */
export interface Resize {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

export function wantedReplicas(deployment: Deployment): number {
  return deployment.spec.replicas ?? 1;
}

export function specReplicas(replicaSet: ReplicaSet): number {
  return replicaSet.spec.replicas ?? 1;
}

/** What the ReplicaSets together should have. */
export function totalSpecReplicas(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((sum, each) => sum + specReplicas(each), 0);
}

/** What the ReplicaSets together have. */
export function totalReplicas(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((sum, each) => sum + (each.status?.replicas ?? 0), 0);
}

export function totalAvailable(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((sum, each) => sum + (each.status?.availableReplicas ?? 0), 0);
}

export function activeReplicaSets(replicaSets: readonly ReplicaSet[]): ReplicaSet[] {
  return replicaSets.filter((each) => specReplicas(each) > 0);
}

/** Whether the Deployment has been resized since its ReplicaSets were last scaled. */
export function isScalingEvent(deployment: Deployment, replicaSets: readonly ReplicaSet[]): boolean {
  return activeReplicaSets(replicaSets).some((each) => {
    const desired = desiredReplicasOf(each);
    return desired !== undefined && desired !== wantedReplicas(deployment);
  });
}

/** The size of a ReplicaSet for a new template, `all` being there beside it (itself with `present` pods). */
export function newReplicaSetSize(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  present: number,
): number {
  const wanted = wantedReplicas(deployment);
  if (!isRollingUpdate(deployment)) return wanted;
  const limit = wanted + maxSurge(deployment);
  const total = totalSpecReplicas(all);
  if (total >= limit) return present;
  return present + Math.min(limit - total, wanted - present);
}

/** The next size of the newest ReplicaSet in a rolling update; undefined when it has its size. */
export function nextNewSize(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newest: ReplicaSet,
): number | undefined {
  const wanted = wantedReplicas(deployment);
  const present = specReplicas(newest);
  if (present === wanted) return undefined;
  const next = present > wanted ? wanted : newReplicaSetSize(deployment, all, present);
  return next === present ? undefined : next;
}

/**
 * Which old ReplicaSets to shrink in a rolling update without letting too few pods be available: first pods that are
 * not available anyway, then, oldest ReplicaSet first, others.
 */
export function shrinkOld(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  newest: ReplicaSet | undefined,
): Resize[] {
  if (totalSpecReplicas(old) === 0) return [];
  const minAvailable = wantedReplicas(deployment) - maxUnavailable(deployment);
  const all = newest === undefined ? old : [...old, newest];
  const newUnavailable =
    newest === undefined ? 0 : specReplicas(newest) - (newest.status?.availableReplicas ?? 0);
  const mayGo = totalSpecReplicas(all) - minAvailable - newUnavailable;
  if (mayGo <= 0) return [];

  const sizes = new Map<ReplicaSet, number>();
  const sorted = byCreation(old);
  let cleaned = 0;
  for (const each of sorted) {
    const size = specReplicas(each);
    const unhealthy = size - (each.status?.availableReplicas ?? 0);
    if (cleaned >= mayGo || size === 0 || unhealthy <= 0) continue;
    const cut = Math.min(mayGo - cleaned, unhealthy);
    sizes.set(each, size - cut);
    cleaned += cut;
  }

  const surplus = totalAvailable(all) - minAvailable;
  let cutSoFar = 0;
  for (const each of sorted) {
    const size = sizes.get(each) ?? specReplicas(each);
    if (cutSoFar >= surplus || size === 0) continue;
    const cut = Math.min(size, surplus - cutSoFar);
    sizes.set(each, size - cut);
    cutSoFar += cut;
  }
  return [...sizes].map(([replicaSet, replicas]) => ({ replicaSet, replicas }));
}

/**
 * The sizes after the Deployment was resized, outside of a rollout step: the one active ReplicaSet gets it all; when
 * the newest already has it all the others get nothing; in the middle of a rolling update each gets its share.
 */
export function resizeAll(
  deployment: Deployment,
  newest: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): Resize[] {
  const wanted = wantedReplicas(deployment);
  const only = activeOrLatest(newest, old);
  if (only !== undefined)
    return specReplicas(only) === wanted ? [] : [{ replicaSet: only, replicas: wanted }];
  if (isSaturated(deployment, newest))
    return activeReplicaSets(old).map((each) => ({ replicaSet: each, replicas: 0 }));
  if (!isRollingUpdate(deployment)) return [];
  return shareOut(deployment, activeReplicaSets(newest === undefined ? old : [...old, newest]));
}

/** The one active ReplicaSet; without any the newest; undefined when several are active. */
function activeOrLatest(newest: ReplicaSet | undefined, old: readonly ReplicaSet[]): ReplicaSet | undefined {
  const active = activeReplicaSets(newest === undefined ? old : [...old, newest]);
  if (active.length > 1) return undefined;
  return active[0] ?? newest ?? byCreation(old).at(-1);
}

function isSaturated(deployment: Deployment, newest: ReplicaSet | undefined): boolean {
  if (newest === undefined) return false;
  const wanted = wantedReplicas(deployment);
  return (
    specReplicas(newest) === wanted &&
    desiredReplicasOf(newest) === wanted &&
    (newest.status?.availableReplicas ?? 0) === wanted
  );
}

/** Spreads what is to be added or removed over the ReplicaSets by their size; the first takes what is left over. */
function shareOut(deployment: Deployment, active: readonly ReplicaSet[]): Resize[] {
  const wanted = wantedReplicas(deployment);
  const allowed = wanted > 0 ? wanted + maxSurge(deployment) : 0;
  const toAdd = allowed - totalSpecReplicas(active);
  const sorted = bySize(active, toAdd > 0);
  let added = 0;
  const sizes = sorted.map((replicaSet) => {
    const share = proportion(deployment, replicaSet, toAdd, added);
    added += share;
    return { replicaSet, replicas: specReplicas(replicaSet) + share };
  });
  return sizes.map(({ replicaSet, replicas }, index) => ({
    replicaSet,
    replicas: index === 0 ? Math.max(0, replicas + toAdd - added) : replicas,
  }));
}

function proportion(deployment: Deployment, replicaSet: ReplicaSet, toAdd: number, added: number): number {
  if (specReplicas(replicaSet) === 0 || toAdd === 0 || toAdd === added) return 0;
  const share = fraction(deployment, replicaSet);
  const rest = toAdd - added;
  return toAdd > 0 ? Math.min(share, rest) : Math.max(share, rest);
}

function fraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  const size = specReplicas(replicaSet);
  const wanted = wantedReplicas(deployment);
  if (wanted === 0) return -size;
  const before = maxReplicasOf(replicaSet) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  const exact = (size * (wanted + maxSurge(deployment))) / before;
  return Math.sign(exact) * Math.floor(Math.abs(exact) + 0.5) - size;
}

/** Largest first; of equal ones the newer first when growing, the older when shrinking. */
function bySize(replicaSets: readonly ReplicaSet[], newerFirst: boolean): ReplicaSet[] {
  return [...replicaSets].sort((a, b) => {
    const [aMs, bMs] = [timeToMs(a.metadata.creationTimestamp), timeToMs(b.metadata.creationTimestamp)];
    const byAge = newerFirst ? bMs - aMs : aMs - bMs;
    return (
      specReplicas(b) - specReplicas(a) ||
      byAge ||
      ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1)
    );
  });
}
