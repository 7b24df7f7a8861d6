/**
 * Source: kubernetes v1.36 pkg/controller/daemon/daemon_controller.go, syncDaemonSet.
 */
import type { DaemonSet, Pod } from "@binnacle/api";
import { isConflict, isNotFound, labelSelectorFromObject, matchLabels } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import { isTerminating, type ReconcileContext, type ReconcileResult } from "@binnacle/controller-runtime";
import { claim } from "../../pod-control/claim.ts";
import type { Expectations } from "../../pod-control/expectations.ts";
import { listOrphans } from "../../pod-control/orphan-index.ts";
import { isNamespaceTerminating } from "../../pod-control/pod-from-template.ts";
import { availableInMs } from "../../pod-control/pod-state.ts";
import { slowStart } from "../../pod-control/slow-start.ts";
import { daemonSets, nodes, pods } from "../../resource-types.ts";
import { HASH_LABEL, syncHistory, truncateHistory } from "../controllerrevision/history.ts";
import { daemonPod, nodeOf, REVISION_LABEL } from "./daemon-pod.ts";
import type { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { daemonStatus, planDaemons, planRollout } from "./plan.ts";

/** Source: daemon_controller.go, BurstReplicas. */
const BURST_REPLICAS = 250;
/** Source: kubernetes v1.36 pkg/apis/apps/v1/defaults.go. */
const DEFAULT_HISTORY_LIMIT = 10;

/** What the controller remembers between reconciles. */
export interface DaemonMemory {
  readonly expectations: Expectations;
  readonly backoff: FailedPodBackoff;
}

export async function reconcileDaemonSet(
  set: DaemonSet,
  { expectations, backoff }: DaemonMemory,
  context: ReconcileContext,
): Promise<ReconcileResult> {
  const { cache, client, clock, recorder } = context;
  const { matchLabels: labels = {}, matchExpressions = [] } = set.spec.selector;
  if (Object.keys(labels).length === 0 && matchExpressions.length === 0) {
    const message = "This daemon set is selecting all pods. A non-empty selector is required.";
    recorder.event(daemonSets, set, "Warning", "SelectingAll", message);
    return {};
  }
  if (isTerminating(set)) return {};
  const selector = labelSelectorFromObject(set.spec.selector);
  const history = await syncHistory(
    {
      type: daemonSets,
      object: set,
      selector,
      template: set.spec.template,
      collisionCount: set.status?.collisionCount ?? 0,
    },
    context,
  );
  const hash = history.update.metadata.labels?.[HASH_LABEL] ?? "";
  const uid = set.metadata.uid ?? "";
  const candidates = [
    ...cache.listOwned(pods, set),
    ...listOrphans(cache, set.metadata.namespace ?? "").filter((pod) =>
      matchLabels(selector, pod.metadata.labels),
    ),
  ];
  const owned = await claim(client.live, { type: daemonSets, object: set }, selector, {
    type: pods,
    objects: candidates,
  });
  const allNodes = cache.list(nodes);
  const waitMs = expectations.waitMs(uid);
  let failure: unknown;
  let backoffMs: number | undefined;
  if (waitMs === 0) {
    const plan = planDaemons(set, allNodes, owned, hash, clock.now());
    const kept = new Set<Pod>();
    for (const pod of plan.replaced) {
      const wait = pod.status?.phase === "Failed" ? backoff.waitMs(`${uid}/${nodeOf(pod)}`) : 0;
      if (wait === 0) continue;
      kept.add(pod);
      backoffMs = Math.min(backoffMs ?? wait, wait);
    }
    report(
      set,
      plan.replaced.filter((pod) => !kept.has(pod)),
      context,
    );
    const isQuiet = plan.create.length === 0 && plan.delete.length === 0;
    // A rollout goes on only when there is one pod on each node.
    const step = isQuiet ? planRollout(set, allNodes, owned, hash, clock.now()) : plan;
    failure = await carryOut(
      set,
      step.create,
      step.delete.filter((pod) => !kept.has(pod)),
      hash,
      expectations,
      context,
    );
  }
  await writeStatus(
    set,
    daemonStatus(set, allNodes, owned, hash, history.collisionCount, clock.now()),
    context,
  );
  if (failure !== undefined) throw failure;
  const inUse = new Set([history.update.metadata.name ?? "", ...revisionsInUse(set, owned)]);
  const limit = set.spec.revisionHistoryLimit ?? DEFAULT_HISTORY_LIMIT;
  await truncateHistory(history.revisions, inUse, limit, context);
  const waits = [waitMs, backoffMs ?? 0, ...availabilityWaits(set, owned, clock.now())].filter(
    (wait) => wait > 0,
  );
  return waits.length === 0 ? {} : { requeueAfterMs: Math.min(...waits) };
}

async function carryOut(
  set: DaemonSet,
  create: readonly string[],
  doomed: readonly Pod[],
  hash: string,
  expectations: Expectations,
  context: ReconcileContext,
): Promise<unknown> {
  const uid = set.metadata.uid ?? "";
  const names = create.slice(0, BURST_REPLICAS);
  const victims = doomed.slice(0, BURST_REPLICAS);
  expectations.expect(
    uid,
    names.length,
    victims.map((pod) => pod.metadata.uid ?? ""),
  );
  const { succeeded, failure } = await slowStart(names.length, (i) =>
    createPod(set, names[i] ?? "", hash, context),
  );
  if (succeeded < names.length) expectations.sawCreation(uid, names.length - succeeded);
  const results = await Promise.allSettled(victims.map((pod) => deletePod(set, pod, expectations, context)));
  if (failure !== undefined && !isNamespaceTerminating(failure)) return failure;
  return results.find((result) => result.status === "rejected")?.reason;
}

async function createPod(
  set: DaemonSet,
  nodeName: string,
  hash: string,
  { client, recorder }: ReconcileContext,
): Promise<void> {
  try {
    const created = await client.create(pods, daemonPod(set, nodeName, hash));
    recorder.event(daemonSets, set, "Normal", "SuccessfulCreate", `Created pod: ${created.metadata.name}`);
  } catch (error) {
    if (!isNamespaceTerminating(error)) {
      const message = `Error creating: ${error instanceof Error ? error.message : error}`;
      recorder.event(daemonSets, set, "Warning", "FailedCreate", message);
    }
    throw error;
  }
}

async function deletePod(
  set: DaemonSet,
  pod: Pod,
  expectations: Expectations,
  { client, recorder }: ReconcileContext,
): Promise<void> {
  try {
    await client.delete(pods, pod);
    recorder.event(daemonSets, set, "Normal", "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
  } catch (error) {
    expectations.sawDeletion(set.metadata.uid ?? "", pod.metadata.uid ?? "");
    if (isNotFound(error) || isConflict(error)) return;
    const message = `Error deleting: ${error instanceof Error ? error.message : error}`;
    recorder.event(daemonSets, set, "Warning", "FailedDelete", message);
    throw error;
  }
}

function report(set: DaemonSet, replaced: readonly Pod[], { recorder }: ReconcileContext): void {
  for (const pod of replaced) {
    const hasFailed = pod.status?.phase === "Failed";
    const where = `${pod.metadata.namespace}/${pod.metadata.name} on node ${pod.spec.nodeName}`;
    recorder.event(
      daemonSets,
      set,
      hasFailed ? "Warning" : "Normal",
      hasFailed ? "FailedDaemonPod" : "SucceededDaemonPod",
      hasFailed
        ? `Found failed daemon pod ${where}, will try to kill it`
        : `Found succeeded daemon pod ${where}, will try to delete it`,
    );
  }
}

async function writeStatus(
  set: DaemonSet,
  status: NonNullable<DaemonSet["status"]>,
  { client }: ReconcileContext,
): Promise<void> {
  if (jsonEquals(status, set.status)) return;
  try {
    await client.updateStatus(daemonSets, { ...set, status });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Pods carry the hash, revisions are named after the set and the hash. */
function revisionsInUse(set: DaemonSet, owned: readonly Pod[]): string[] {
  return owned.map((pod) => `${set.metadata.name}-${pod.metadata.labels?.[REVISION_LABEL]}`);
}

/** A pod that becomes available causes no event. */
function availabilityWaits(set: DaemonSet, owned: readonly Pod[], now: number): number[] {
  return owned.map((pod) => availableInMs(pod, set.spec.minReadySeconds ?? 0, now) ?? 0);
}
