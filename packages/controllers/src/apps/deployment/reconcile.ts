/**
 * Brings the ReplicaSets of a Deployment to what it asks for, one step at a time: every step changes something that
 * brings the controller back.
 *
 * Source: kubernetes v1.36 pkg/controller/deployment/deployment_controller.go, syncDeployment.
 */
import type { Deployment, Pod, ReplicaSet } from "@binnacle/api";
import { labelSelectorFromObject } from "@binnacle/apimachinery";
import {
  controllerOf,
  done,
  isTerminating,
  type Reconcile,
  type ReconcileResult,
} from "@binnacle/controller-runtime";
import { claim } from "../../pod-control/claim.ts";
import { deployments, pods, replicaSets } from "../../resource-types.ts";
import { Rollout } from "./rollout.ts";
import { isRollingUpdate } from "./rollout-limits.ts";
import { isScalingEvent, totalReplicas } from "./sizes.ts";

export const reconcileDeployment: Reconcile = async (key, context) => {
  const deployment = context.cache.get(deployments, key);
  if (deployment === undefined) return done; // The garbage collector removes its ReplicaSets.

  const rollout = new Rollout(deployment, context);
  if (selectsEverything(deployment)) {
    const message = "This deployment is selecting all pods. A non-empty selector is required.";
    context.recorder.event(deployments, deployment, "Warning", "SelectingAll", message);
    await rollout.observeGeneration();
    return done;
  }

  const owned = await claim(
    context.client.live,
    { type: deployments, object: deployment },
    labelSelectorFromObject(deployment.spec.selector),
    { type: replicaSets, objects: context.cache.list(replicaSets, { namespace: key.namespace ?? "" }) },
  );
  rollout.use(owned);
  if (isTerminating(deployment)) return rollout.writeStatus();

  await rollout.notePause();
  if (rollout.deployment.spec.paused === true || isScalingEvent(rollout.deployment, owned)) {
    await rollout.syncRevision();
    await rollout.resize();
    if (rollout.deployment.spec.paused === true) await rollout.cleanUp();
    return rollout.writeStatus();
  }
  if (isRollingUpdate(deployment)) return rollingUpdate(rollout);
  return recreate(rollout, podsOf(owned, context.cache.list(pods, { namespace: key.namespace ?? "" })));
};

/** Grows the newest ReplicaSet and shrinks the others, within the limits. */
async function rollingUpdate(rollout: Rollout): Promise<ReconcileResult> {
  await rollout.ensureNewest();
  if ((await rollout.growNewest()) || (await rollout.shrinkOld())) return rollout.writeRolloutStatus();
  if (rollout.isComplete()) await rollout.cleanUp();
  return rollout.writeRolloutStatus();
}

/** Stops everything old before anything new starts. */
async function recreate(
  rollout: Rollout,
  podsByOwner: ReadonlyMap<string, readonly Pod[]>,
): Promise<ReconcileResult> {
  await rollout.syncRevision();
  if (await rollout.stopOld()) return rollout.writeRolloutStatus();
  if (areOldPodsRunning(rollout.newest, rollout.old, podsByOwner)) return rollout.writeRolloutStatus();
  await rollout.ensureNewest();
  await rollout.fillNewest();
  if (rollout.isComplete()) await rollout.cleanUp();
  return rollout.writeRolloutStatus();
}

/** Whether pods of another template than the newest are left, other than finished ones. */
export function areOldPodsRunning(
  newest: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  podsByOwner: ReadonlyMap<string, readonly Pod[]>,
): boolean {
  if (totalReplicas(old) > 0) return true;
  for (const [uid, owned] of podsByOwner) {
    if (uid === newest?.metadata.uid) continue;
    if (owned.some((pod) => pod.status?.phase !== "Failed" && pod.status?.phase !== "Succeeded")) return true;
  }
  return false;
}

function podsOf(owners: readonly ReplicaSet[], candidates: readonly Pod[]): Map<string, Pod[]> {
  const byOwner = new Map<string, Pod[]>(owners.map((each) => [each.metadata.uid ?? "", []]));
  for (const pod of candidates) byOwner.get(controllerOf(pod)?.uid ?? "")?.push(pod);
  return byOwner;
}

function selectsEverything({ spec }: Deployment): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec.selector;
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
