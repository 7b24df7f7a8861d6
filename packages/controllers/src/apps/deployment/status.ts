/**
 * The status of a Deployment: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/deployment/{sync,progress}.go and util/deployment_util.go.
 */
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from "@binnacle/api";
import { msToTime, timeToMs } from "@binnacle/apimachinery";
import { omitZero } from "../../status/omit-zero.ts";
import { maxUnavailable } from "./rollout-limits.ts";
import { totalAvailable, totalReplicas, totalSpecReplicas, wantedReplicas } from "./sizes.ts";

/** Stands for "none" in fields that have no other way to say it. */
const MAX_INT32 = 2 ** 31 - 1;

const NEW_REPLICA_SET_AVAILABLE = "NewReplicaSetAvailable";
const TIMED_OUT = "ProgressDeadlineExceeded";

export function hasProgressDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== MAX_INT32;
}

export function findDeploymentCondition(
  conditions: readonly DeploymentCondition[] | undefined,
  type: string,
): DeploymentCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The conditions with this one last; unchanged when it has the same status and reason already. */
export function withCondition(
  conditions: readonly DeploymentCondition[],
  condition: Pick<DeploymentCondition, "type" | "status" | "reason" | "message"> &
    Partial<DeploymentCondition>,
  nowMs: number,
): DeploymentCondition[] {
  const present = findDeploymentCondition(conditions, condition.type);
  if (present?.status === condition.status && present.reason === condition.reason) return [...conditions];
  const now = msToTime(nowMs);
  const lastTransitionTime =
    present?.status === condition.status
      ? (present.lastTransitionTime ?? now)
      : (condition.lastTransitionTime ?? now);
  const { type, status, reason, message } = condition;
  const updated: DeploymentCondition = {
    type,
    status,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
  return [...withoutCondition(conditions, condition.type), updated];
}

export function withoutCondition(
  conditions: readonly DeploymentCondition[],
  type: string,
): DeploymentCondition[] {
  return conditions.filter((condition) => condition.type !== type);
}

/** The numbers, and whether enough pods are available. */
export function deploymentStatus(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newest: ReplicaSet | undefined,
  nowMs: number,
): DeploymentStatus {
  const available = totalAvailable(all);
  const isAvailable = available >= wantedReplicas(deployment) - maxUnavailable(deployment);
  const terminating = all.map((each) => each.status?.terminatingReplicas);
  const conditions = withCondition(
    deployment.status?.conditions ?? [],
    isAvailable
      ? {
          type: "Available",
          status: "True",
          reason: "MinimumReplicasAvailable",
          message: "Deployment has minimum availability.",
        }
      : {
          type: "Available",
          status: "False",
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        },
    nowMs,
  );
  const { collisionCount } = deployment.status ?? {};
  return {
    ...omitZero({
      observedGeneration: deployment.metadata.generation,
      replicas: totalReplicas(all),
      updatedReplicas: newest === undefined ? 0 : totalReplicas([newest]),
      readyReplicas: all.reduce((sum, each) => sum + (each.status?.readyReplicas ?? 0), 0),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, totalSpecReplicas(all) - available),
    }),
    // Known once every ReplicaSet has counted its own.
    ...(terminating.includes(undefined)
      ? {}
      : { terminatingReplicas: terminating.reduce<number>((sum, each) => sum + (each ?? 0), 0) }),
    conditions,
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
}

/** Whether the newest template runs, whole and available, and nothing of the old ones is left. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = wantedReplicas(deployment);
  return (
    (status.updatedReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

/** Whether the rollout has come further than the status says it was. */
function isProgressing(old: DeploymentStatus, updated: DeploymentStatus): boolean {
  const outdated = (status: DeploymentStatus): number =>
    (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (
    (updated.updatedReplicas ?? 0) > (old.updatedReplicas ?? 0) ||
    outdated(updated) < outdated(old) ||
    (updated.readyReplicas ?? 0) > (old.readyReplicas ?? 0) ||
    (updated.availableReplicas ?? 0) > (old.availableReplicas ?? 0)
  );
}

function hasTimedOut(deployment: Deployment, status: DeploymentStatus, nowMs: number): boolean {
  const condition = findDeploymentCondition(status.conditions, "Progressing");
  if (condition === undefined || condition.reason === NEW_REPLICA_SET_AVAILABLE) return false;
  if (condition.reason === TIMED_OUT) return true;
  const deadlineMs =
    timeToMs(condition.lastUpdateTime) + (deployment.spec.progressDeadlineSeconds ?? 0) * 1000;
  return deadlineMs < nowMs;
}

/** The status during and after a rollout: how far it has come, and why pods could not be made. */
export function rolloutStatus(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newest: ReplicaSet | undefined,
  nowMs: number,
): DeploymentStatus {
  const old = deployment.status ?? {};
  const status = deploymentStatus(deployment, all, newest, nowMs);
  let conditions = status.conditions ?? [];
  const current = findDeploymentCondition(old.conditions, "Progressing");
  const wasComplete =
    (status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === NEW_REPLICA_SET_AVAILABLE;
  const who =
    newest === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newest.metadata.name}"`;
  if (!hasProgressDeadline(deployment)) {
    conditions = withoutCondition(conditions, "Progressing");
  } else if (!wasComplete) {
    if (isComplete(deployment, status)) {
      const message = `${who} has successfully progressed.`;
      const reason = NEW_REPLICA_SET_AVAILABLE;
      conditions = withCondition(conditions, { type: "Progressing", status: "True", reason, message }, nowMs);
    } else if (isProgressing(old, status)) {
      // Taken off first, so that the time of the update changes although status and reason may not.
      const since = current?.status === "True" ? current.lastTransitionTime : undefined;
      conditions = withCondition(
        withoutCondition(conditions, "Progressing"),
        {
          type: "Progressing",
          status: "True",
          reason: "ReplicaSetUpdated",
          message: `${who} is progressing.`,
          ...(since === undefined ? {} : { lastTransitionTime: since }),
        },
        nowMs,
      );
    } else if (hasTimedOut(deployment, status, nowMs)) {
      const message = `${who} has timed out progressing.`;
      conditions = withCondition(
        conditions,
        { type: "Progressing", status: "False", reason: TIMED_OUT, message },
        nowMs,
      );
    }
  }
  const failure = replicaFailure(all, newest);
  conditions =
    failure === undefined
      ? withoutCondition(conditions, "ReplicaFailure")
      : withCondition(conditions, failure, nowMs);
  return { ...status, conditions };
}

/** The newest ReplicaSet's failure, or any. */
function replicaFailure(
  all: readonly ReplicaSet[],
  newest: ReplicaSet | undefined,
):
  | (Pick<DeploymentCondition, "type" | "status" | "reason" | "message"> & Partial<DeploymentCondition>)
  | undefined {
  const ofEach = (replicaSet: ReplicaSet | undefined) =>
    replicaSet?.status?.conditions?.find((condition) => condition.type === "ReplicaFailure");
  const found = ofEach(newest) ?? all.map(ofEach).find((condition) => condition !== undefined);
  if (found === undefined) return undefined;
  const { lastTransitionTime } = found;
  return {
    ...found,
    ...(lastTransitionTime === undefined ? {} : { lastTransitionTime, lastUpdateTime: lastTransitionTime }),
  };
}

/** How long until the rollout may have timed out; undefined when it cannot. */
export function deadlineInMs(
  deployment: Deployment,
  status: DeploymentStatus,
  nowMs: number,
): number | undefined {
  const condition = findDeploymentCondition(status.conditions, "Progressing");
  if (condition === undefined || !hasProgressDeadline(deployment)) return undefined;
  if (isComplete(deployment, status) || condition.reason === TIMED_OUT) return undefined;
  const deadlineMs =
    timeToMs(condition.lastUpdateTime) + (deployment.spec.progressDeadlineSeconds ?? 0) * 1000;
  // One second more: the time in the condition has no fraction.
  return Math.max(0, deadlineMs - nowMs) + 1000;
}

/** The conditions after pausing or resuming; undefined when they stay as they are. */
export function pausedConditions(deployment: Deployment, nowMs: number): DeploymentCondition[] | undefined {
  if (!hasProgressDeadline(deployment)) return undefined;
  const conditions = deployment.status?.conditions ?? [];
  const reason = findDeploymentCondition(conditions, "Progressing")?.reason;
  // What has timed out stays so.
  if (reason === TIMED_OUT) return undefined;
  const isPaused = deployment.spec.paused === true;
  if (isPaused === (reason === "DeploymentPaused")) return undefined;
  return withCondition(
    conditions,
    {
      type: "Progressing",
      status: "Unknown",
      reason: isPaused ? "DeploymentPaused" : "DeploymentResumed",
      message: isPaused ? "Deployment is paused" : "Deployment is resumed",
    },
    nowMs,
  );
}
