import type { Pod, ReplicaSetCondition, ReplicaSetStatus } from "@binnacle/api";
import { msToTime } from "@binnacle/apimachinery";
import { isPodAvailable, isPodReady } from "../../pod-control/pod-state.ts";
import { omitZero } from "../../status/omit-zero.ts";
import type { ReplicaView } from "./replica-controller.ts";

/** Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go, BurstReplicas. */
const BURST_REPLICAS = 500;

/** How many pods to create or delete now: at most 500 at a time. */
export function planScale(desired: number, active: number): { create: number; delete: number } {
  return {
    create: Math.min(BURST_REPLICAS, Math.max(0, desired - active)),
    delete: Math.min(BURST_REPLICAS, Math.max(0, active - desired)),
  };
}

/**
 * The status that these pods amount to.
 *
 * Source: kubernetes v1.36 pkg/controller/replicaset/replica_set_utils.go, calculateStatus.
 */
export function replicaStatus(
  input: Omit<ReplicaView, "selector"> & {
    /** Active pods that the object controls. */
    readonly pods: readonly Pod[];
    /** How many pods are being deleted; undefined where the kind does not say. */
    readonly terminating: number | undefined;
    /** Why pods could not be created or deleted, if so. */
    readonly failure: unknown;
    readonly generation: number | undefined;
    readonly nowMs: number;
  },
): ReplicaSetStatus {
  const { pods, status, template, nowMs, failure } = input;
  const labels = Object.entries(template?.metadata?.labels ?? {});
  const fullyLabeled = pods.filter((pod) =>
    labels.every(([key, value]) => pod.metadata.labels?.[key] === value),
  );
  return {
    replicas: pods.length,
    ...omitZero({
      fullyLabeledReplicas: fullyLabeled.length,
      readyReplicas: pods.filter(isPodReady).length,
      availableReplicas: pods.filter((pod) => isPodAvailable(pod, input.minReadySeconds, nowMs)).length,
    }),
    ...(input.terminating === undefined ? {} : { terminatingReplicas: input.terminating }),
    ...omitZero({
      observedGeneration: input.generation,
      conditions: failureCondition(status.conditions ?? [], failure, pods.length - input.replicas, nowMs),
    }),
  };
}

/** ReplicaFailure is there while creating or deleting fails. */
function failureCondition(
  conditions: readonly ReplicaSetCondition[],
  failure: unknown,
  surplus: number,
  nowMs: number,
): ReplicaSetCondition[] {
  const present = conditions.find((condition) => condition.type === "ReplicaFailure");
  if (failure === undefined) return conditions.filter((condition) => condition !== present);
  if (present !== undefined) return [...conditions];
  return [
    ...conditions,
    {
      type: "ReplicaFailure",
      status: "True",
      lastTransitionTime: msToTime(nowMs),
      ...omitZero({ reason: surplus < 0 ? "FailedCreate" : surplus > 0 ? "FailedDelete" : "" }),
      message: failure instanceof Error ? failure.message : String(failure),
    },
  ];
}
