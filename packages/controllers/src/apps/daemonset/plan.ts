/**
 * Which daemon pods to make and which to delete: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/daemon/{daemon_controller,update}.go.
 */
import type { DaemonSet, DaemonSetStatus, Node, Pod } from "@binnacle/api";
import { timeToMs } from "@binnacle/apimachinery";
import { isPodAvailable, isPodFinished, isPodReady, isPodTerminating } from "../../pod-control/pod-state.ts";
import { omitZero } from "../../status/omit-zero.ts";
import { scaledValue } from "../deployment/rollout-limits.ts";
import { nodeOf, REVISION_LABEL } from "./daemon-pod.ts";
import { fitsNode } from "./node-fit.ts";

export interface DaemonPlan {
  /** Names of nodes. */
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
  /** Failed and finished pods among those to delete: they are replaced. */
  readonly replaced: readonly Pod[];
}

/** Pods by the node they are on or meant for. */
export function byNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const grouped = new Map<string, Pod[]>();
  for (const pod of pods) {
    const name = nodeOf(pod);
    if (name === undefined) continue;
    grouped.set(name, [...(grouped.get(name) ?? []), pod]);
  }
  return grouped;
}

/** One pod on each node that should have one, none on others. */
export function planDaemons(
  set: DaemonSet,
  nodes: readonly Node[],
  pods: readonly Pod[],
  hash: string,
  nowMs: number,
): DaemonPlan {
  const grouped = byNode(pods);
  const create: string[] = [];
  const doomed: Pod[] = [];
  const replaced: Pod[] = [];
  for (const node of nodes) {
    const name = node.metadata.name ?? "";
    const { shouldRun, mayStay } = fitsNode(set.spec.template.spec, node);
    const present = grouped.get(name) ?? [];
    if (!mayStay) {
      doomed.push(...present.filter((pod) => !isPodTerminating(pod)));
      continue;
    }
    if (present.length === 0) {
      if (shouldRun) create.push(name);
      continue;
    }
    const running: Pod[] = [];
    for (const pod of present) {
      if (isPodTerminating(pod)) continue;
      if (isPodFinished(pod)) replaced.push(pod);
      else running.push(pod);
    }
    if (running.length === 0) continue; // Made anew when the last one is gone.
    if (running.length > 1) doomed.push(...surplus(set, running, hash, nowMs));
  }
  // Pods that wait for a node that is gone.
  const known = new Set(nodes.map((node) => node.metadata.name));
  for (const [name, present] of grouped) {
    if (known.has(name)) continue;
    doomed.push(...present.filter((pod) => (pod.spec.nodeName ?? "") === "" && !isPodTerminating(pod)));
  }
  return { create, delete: [...doomed, ...replaced], replaced };
}

/** Of several pods on a node the oldest stays; where a new one may run beside, the old one until that is available. */
function surplus(set: DaemonSet, running: readonly Pod[], hash: string, nowMs: number): Pod[] {
  const oldestFirst = [...running].sort((a, b) => createdAt(a) - createdAt(b));
  if (maxSurge(set, 1) === 0) return oldestFirst.slice(1);
  const [old, fresh] = [
    oldestFirst.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] !== hash),
    oldestFirst.filter((pod) => pod.metadata.labels?.[REVISION_LABEL] === hash),
  ];
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  const isTakenOver = fresh.some((pod) => isPodAvailable(pod, minReadySeconds, nowMs));
  return [...(isTakenOver ? old : old.slice(1)), ...fresh.slice(1)];
}

/** One step of a rolling update. */
export function planRollout(
  set: DaemonSet,
  nodes: readonly Node[],
  pods: readonly Pod[],
  hash: string,
  nowMs: number,
): { readonly create: readonly string[]; readonly delete: readonly Pod[] } {
  if (set.spec.updateStrategy?.type === "OnDelete") return { create: [], delete: [] };
  const grouped = byNode(pods);
  const wanted = nodes.filter((node) => fitsNode(set.spec.template.spec, node).shouldRun);
  const surge = maxSurge(set, wanted.length);
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  const isAvailable = (pod: Pod | undefined): boolean =>
    pod !== undefined && !isPodTerminating(pod) && isPodAvailable(pod, minReadySeconds, nowMs);
  const perNode = wanted.map((node) => {
    const present = (grouped.get(node.metadata.name ?? "") ?? []).filter((pod) => !isPodTerminating(pod));
    const fresh = present.find((pod) => pod.metadata.labels?.[REVISION_LABEL] === hash);
    const old = present.find((pod) => pod.metadata.labels?.[REVISION_LABEL] !== hash);
    return { name: node.metadata.name ?? "", fresh, old };
  });
  if (surge === 0) {
    const limit = maxUnavailable(set, wanted.length);
    const dead: Pod[] = [];
    const candidates: Pod[] = [];
    let unavailable = 0;
    for (const { fresh, old } of perNode) {
      if (fresh !== undefined || old === undefined) {
        if (!isAvailable(fresh)) unavailable++;
      } else if (isAvailable(old)) {
        candidates.push(old);
      } else {
        // It serves nobody: replacing it costs nothing.
        dead.push(old);
        unavailable++;
      }
    }
    return { create: [], delete: [...dead, ...candidates.slice(0, Math.max(0, limit - unavailable))] };
  }
  const create: string[] = [];
  const doomed: Pod[] = [];
  const candidates: string[] = [];
  let surging = 0;
  for (const { name, fresh, old } of perNode) {
    if (old === undefined) continue;
    if (fresh === undefined) {
      // A pod that is not available is no reason to wait with the new one.
      if (isAvailable(old)) candidates.push(name);
      else create.push(name);
    } else if (isAvailable(fresh)) doomed.push(old);
    else surging++;
  }
  return {
    create: [...create, ...candidates.slice(0, Math.max(0, surge - surging - create.length))],
    delete: doomed,
  };
}

function maxUnavailable(set: DaemonSet, nodes: number): number {
  const { maxSurge: surge, maxUnavailable: value } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const unavailable = scaledValue(value ?? 1, nodes, Math.ceil);
  // Both zero would never get anywhere.
  return unavailable === 0 && scaledValue(surge ?? 0, nodes, Math.ceil) === 0 ? 1 : unavailable;
}

function maxSurge(set: DaemonSet, nodes: number): number {
  if (set.spec.updateStrategy?.type === "OnDelete") return 0;
  return scaledValue(set.spec.updateStrategy?.rollingUpdate?.maxSurge ?? 0, nodes, Math.ceil);
}

/** The numbers that the status tells. */
export function daemonStatus(
  set: DaemonSet,
  nodes: readonly Node[],
  pods: readonly Pod[],
  hash: string,
  collisionCount: number,
  nowMs: number,
): DaemonSetStatus {
  const grouped = byNode(pods);
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const { shouldRun } = fitsNode(set.spec.template.spec, node);
    const present = grouped.get(node.metadata.name ?? "") ?? [];
    if (!shouldRun) {
      if (present.length > 0) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    // The oldest speaks for the node, but a newer one that is ready counts for readiness.
    const [first] = [...present].sort((a, b) => createdAt(a) - createdAt(b));
    if (first === undefined) continue;
    counts.current++;
    if (present.some((pod) => isPodReady(pod) && !isPodTerminating(pod))) counts.ready++;
    if (present.some((pod) => !isPodTerminating(pod) && isPodAvailable(pod, minReadySeconds, nowMs)))
      counts.available++;
    if (present.some((pod) => pod.metadata.labels?.[REVISION_LABEL] === hash)) counts.updated++;
  }
  const { conditions } = set.status ?? {};
  return {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    ...omitZero({
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: counts.updated,
      numberAvailable: counts.available,
      numberUnavailable: counts.desired - counts.available,
    }),
    ...(collisionCount === 0 && set.status?.collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

function createdAt(pod: Pod): number {
  return timeToMs(pod.metadata.creationTimestamp);
}
