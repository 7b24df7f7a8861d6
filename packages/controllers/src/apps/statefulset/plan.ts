/**
 * What to do next about the pods of a StatefulSet: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, updateStatefulSet.
 */
import type { Pod, StatefulSet, StatefulSetStatus } from "@binnacle/api";
import { isPodAvailable, isPodFinished, isPodReady, isPodTerminating } from "../../pod-control/pod-state.ts";
import { omitZero } from "../../status/omit-zero.ts";
import { scaledValue } from "../deployment/rollout-limits.ts";
import { isInRange, ordinalOf, revisionOf, startOrdinal } from "./identity.ts";

/** One thing to do. Later ones may be done although an earlier one failed, but not before it. */
export type Step =
  | { readonly action: "create"; readonly ordinal: number; readonly isUpdate: boolean }
  | { readonly action: "delete"; readonly pod: Pod; readonly why: "finished" | "condemned" | "outdated" }
  /** Bring name, labels, volumes and the ownership of claims in line. */
  | { readonly action: "fix"; readonly pod: Pod; readonly ordinal: number };

export interface StatefulPlan {
  readonly steps: readonly Step[];
  /** Pods with an ordinal of the set, and pods to be removed. */
  readonly condemned: readonly Pod[];
}

/** The revisions that pods are made from: the one before the rollout and the one it leads to. */
export interface RevisionNames {
  readonly current: string;
  readonly update: string;
}

export function planStatefulSet(
  set: StatefulSet,
  owned: readonly Pod[],
  revisions: RevisionNames,
  needsFix: (pod: Pod, ordinal: number) => boolean,
  nowMs: number,
): StatefulPlan {
  const { replicas, condemned } = sortPods(set, owned);
  const steps: Step[] = [];
  if (set.metadata.deletionTimestamp !== undefined) return { steps, condemned };
  const isOrdered = set.spec.podManagementPolicy !== "Parallel";
  const isHealthy = (pod: Pod | undefined): boolean =>
    pod !== undefined && isRunningAndReady(pod) && !isPodTerminating(pod);
  const isAvailable = (pod: Pod): boolean =>
    isRunningAndReady(pod) && isPodAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
  const firstUnhealthy =
    replicas.find((pod) => !isHealthy(pod)) ?? [...condemned].reverse().find((pod) => !isHealthy(pod));

  for (const [index, pod] of replicas.entries()) {
    const ordinal = startOrdinal(set) + index;
    if (pod === undefined) {
      steps.push({
        action: "create",
        ordinal,
        isUpdate: index >= (partitionOf(set) ?? Number.NEGATIVE_INFINITY),
      });
      if (isOrdered) return { steps, condemned };
      continue;
    }
    if (isPodFinished(pod)) {
      if (!isPodTerminating(pod)) steps.push({ action: "delete", pod, why: "finished" });
      if (isOrdered) return { steps, condemned };
      continue;
    }
    if (isOrdered && (isPodTerminating(pod) || !isAvailable(pod))) return { steps, condemned };
    if (needsFix(pod, ordinal)) steps.push({ action: "fix", pod, ordinal });
  }

  for (const pod of condemned) {
    if (isPodTerminating(pod)) {
      if (isOrdered) return { steps, condemned };
      continue;
    }
    // An unhealthy pod below may need what this one has: only if it is itself the first may it go.
    if (isOrdered && !isAvailable(pod) && pod !== firstUnhealthy) return { steps, condemned };
    steps.push({ action: "delete", pod, why: "condemned" });
    if (isOrdered) return { steps, condemned };
  }

  if (set.spec.updateStrategy?.type !== "OnDelete")
    steps.push(...outdated(set, replicas, revisions.update, isHealthy));
  return { steps, condemned };
}

/** The pods to replace now: from the highest ordinal down to the partition, waiting for each to be healthy. */
function outdated(
  set: StatefulSet,
  replicas: readonly (Pod | undefined)[],
  update: string,
  isHealthy: (pod: Pod | undefined) => boolean,
): Step[] {
  const partition = partitionOf(set) ?? 0;
  const limit = maxUnavailable(set);
  const steps: Step[] = [];
  if (limit > 1) {
    const free = limit - replicas.filter((pod) => !isHealthy(pod)).length;
    for (let index = replicas.length - 1; index >= partition && steps.length < free; index--) {
      const pod = replicas[index];
      if (pod !== undefined && revisionOf(pod) !== update && !isPodTerminating(pod))
        steps.push({ action: "delete", pod, why: "outdated" });
    }
    return steps;
  }
  for (let index = replicas.length - 1; index >= partition; index--) {
    const pod = replicas[index];
    if (pod !== undefined && revisionOf(pod) !== update && !isPodTerminating(pod))
      return [{ action: "delete", pod, why: "outdated" }];
    if (!isHealthy(pod)) return [];
  }
  return [];
}

/** Pods by their place in the set (undefined where one is missing), and the others, highest ordinal first. */
function sortPods(
  set: StatefulSet,
  owned: readonly Pod[],
): { replicas: (Pod | undefined)[]; condemned: Pod[] } {
  const replicas = Array.from({ length: set.spec.replicas ?? 1 }, (): Pod | undefined => undefined);
  const condemned: Pod[] = [];
  for (const pod of owned) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal === undefined) continue;
    if (isInRange(set, ordinal)) replicas[ordinal - startOrdinal(set)] = pod;
    else condemned.push(pod);
  }
  condemned.sort((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  return { replicas, condemned };
}

/** Places below this keep the revision before the rollout; counted from zero whatever the first ordinal is. */
function partitionOf(set: StatefulSet): number | undefined {
  const { type = "RollingUpdate", rollingUpdate } = set.spec.updateStrategy ?? {};
  return type === "RollingUpdate" ? (rollingUpdate?.partition ?? 0) : undefined;
}

function maxUnavailable(set: StatefulSet): number {
  const value = set.spec.updateStrategy?.rollingUpdate?.maxUnavailable;
  if (value === undefined) return 1;
  return Math.max(1, scaledValue(value, set.spec.replicas ?? 1, Math.ceil));
}

function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === "Running" && isPodReady(pod);
}

/** The status that these pods amount to. Source: stateful_set_control.go, updateStatus and completeRollingUpdate. */
export function statefulSetStatus(
  set: StatefulSet,
  owned: readonly Pod[],
  revisions: RevisionNames & { readonly collisionCount: number },
  nowMs: number,
): StatefulSetStatus {
  const created = owned.filter((pod) => (pod.status?.phase ?? "") !== "");
  const ready = owned.filter(isRunningAndReady);
  const living = created.filter((pod) => !isPodTerminating(pod));
  const ofRevision = (name: string): number => living.filter((pod) => revisionOf(pod) === name).length;
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  let currentReplicas = ofRevision(revisions.current);
  let currentRevision = revisions.current;
  const updatedReplicas = ofRevision(revisions.update);
  const wanted = set.spec.replicas ?? 1;
  const isComplete =
    set.spec.updateStrategy?.type !== "OnDelete" &&
    updatedReplicas === wanted &&
    ready.length === wanted &&
    created.length === wanted;
  if (isComplete) {
    currentReplicas = updatedReplicas;
    currentRevision = revisions.update;
  }
  const { conditions } = set.status ?? {};
  return {
    replicas: created.length,
    ...omitZero({
      observedGeneration: set.metadata.generation,
      readyReplicas: ready.length,
      currentReplicas,
      updatedReplicas,
      currentRevision,
      updateRevision: revisions.update,
    }),
    collisionCount: revisions.collisionCount,
    ...(conditions === undefined ? {} : { conditions }),
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, minReadySeconds, nowMs)).length,
  };
}
