/**
 * How many replicas a measured load asks for: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/podautoscaler/replica_calculator.go.
 */
import type { Container, Pod } from "@binnacle/api";
import { quantityToMillis, timeToMs } from "@binnacle/apimachinery";
import { isPodTerminating, podCondition } from "../../pod-control/pod-state.ts";
import type { PodMetric, PodMetrics } from "./metrics-client.ts";

/** Source: kubernetes v1.36 pkg/controller/podautoscaler/config/v1alpha1/defaults.go. */
const CPU_INITIALIZATION_MS = 5 * 60_000;
const INITIAL_READINESS_MS = 30_000;
const DEFAULT_TOLERANCE = 0.1;

export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

export const defaultTolerances: Tolerances = { up: DEFAULT_TOLERANCE, down: DEFAULT_TOLERANCE };

export interface PodGroups {
  readonly readyCount: number;
  readonly unready: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

/** Which pods' measurements count: those of pods that are still starting would mislead. */
export function groupPods(
  pods: readonly Pod[],
  metrics: PodMetrics,
  resource: string | undefined,
  nowMs: number,
): PodGroups {
  let readyCount = 0;
  const [unready, missing, ignored] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const pod of pods) {
    const name = pod.metadata.name ?? "";
    const metric = metrics.get(name);
    if (isPodTerminating(pod) || pod.status?.phase === "Failed") ignored.add(name);
    else if (pod.status?.phase === "Pending") unready.add(name);
    else if (metric === undefined) missing.add(name);
    else if (resource === "cpu" && isStarting(pod, metric, nowMs)) unready.add(name);
    else readyCount++;
  }
  return { readyCount, unready, missing, ignored };
}

function isStarting(pod: Pod, metric: PodMetric, nowMs: number): boolean {
  const ready = podCondition(pod, "Ready");
  const startedAt = timeToMs(pod.status?.startTime);
  if (ready === undefined || Number.isNaN(startedAt)) return true;
  const turnedAt = timeToMs(ready.lastTransitionTime);
  if (startedAt + CPU_INITIALIZATION_MS > nowMs)
    return ready.status === "False" || metric.atMs < turnedAt + metric.windowMs;
  return ready.status === "False" && startedAt + INITIAL_READINESS_MS > turnedAt;
}

/** What the pods (or one container of each) request of a resource, in thousandths, by pod. */
export function requestsOf(
  pods: readonly Pod[],
  resource: string,
  container: string | undefined,
): Map<string, number> {
  const requests = new Map<string, number>();
  for (const pod of pods) {
    const name = pod.metadata.name ?? "";
    const sidecars = (pod.spec.initContainers ?? []).filter((each) => each.restartPolicy === "Always");
    const all: readonly Container[] = [...pod.spec.containers, ...sidecars];
    let sum = 0;
    for (const each of all) {
      if (container !== undefined && each.name !== container) continue;
      const request = each.resources?.requests?.[resource];
      if (request === undefined)
        throw new Error(`missing request for ${resource} in container ${each.name} of Pod ${name}`);
      sum += Number(quantityToMillis(request));
    }
    requests.set(name, sum);
  }
  return requests;
}

/** The outcome for one metric. */
export interface Proposal {
  readonly replicas: number;
  /** Over the target or under it, as measured: 1.5 is half as much again. */
  readonly ratio: number;
  /** In percent, of a utilization target. */
  readonly utilization?: number;
  /** Per pod, in thousandths. */
  readonly averageMillis: number;
}

/** For a target of so many percent of what is requested. */
export function replicasForUtilization(input: {
  readonly current: number;
  readonly targetPercent: number;
  readonly pods: readonly Pod[];
  readonly metrics: PodMetrics;
  readonly resource: string;
  readonly container: string | undefined;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
}): Proposal {
  const { pods, resource, container, targetPercent } = input;
  const requests = requestsOf(pods, resource, container);
  const ratioOf = (metrics: ReadonlyMap<string, number>) => {
    let [used, requested] = [0, 0];
    for (const [name, value] of metrics) {
      const request = requests.get(name);
      if (request === undefined) continue;
      used += value;
      requested += request;
    }
    if (requested === 0) throw new Error("no metrics returned matched known pods");
    const utilization = Math.trunc((used * 100) / requested);
    return { ratio: utilization / targetPercent, utilization };
  };
  const fallback = (name: string): number => ((requests.get(name) ?? 0) * Math.max(100, targetPercent)) / 100;
  return propose({ ...input, ratioOf, fallback });
}

/** For a target of so much per pod. */
export function replicasForAverage(input: {
  readonly current: number;
  readonly targetMillis: number;
  readonly pods: readonly Pod[];
  readonly metrics: PodMetrics;
  readonly resource: string | undefined;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
}): Proposal {
  const ratioOf = (metrics: ReadonlyMap<string, number>) => ({
    ratio: [...metrics.values()].reduce((sum, value) => sum + value, 0) / metrics.size / input.targetMillis,
  });
  return propose({ ...input, ratioOf, fallback: () => input.targetMillis });
}

/** For one number that all pods share: so much per pod, or so much in all. */
export function replicasForTotal(input: {
  readonly current: number;
  readonly readyCount: number;
  readonly totalMillis: number;
  readonly targetMillis: number;
  readonly isPerPod: boolean;
  readonly tolerances: Tolerances;
}): Proposal {
  const { current, readyCount, totalMillis, targetMillis, isPerPod, tolerances } = input;
  if (isPerPod) {
    const ratio = totalMillis / (targetMillis * current);
    const replicas = isWithin(ratio, tolerances) ? current : Math.ceil(totalMillis / targetMillis);
    return { replicas, ratio, averageMillis: Math.ceil(totalMillis / Math.max(1, current)) };
  }
  const ratio = totalMillis / targetMillis;
  const replicas =
    current === 0 ? Math.ceil(ratio) : isWithin(ratio, tolerances) ? current : Math.ceil(ratio * readyCount);
  return { replicas, ratio, averageMillis: totalMillis };
}

function propose(input: {
  readonly current: number;
  readonly pods: readonly Pod[];
  readonly metrics: PodMetrics;
  readonly resource: string | undefined;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
  readonly ratioOf: (metrics: ReadonlyMap<string, number>) => { ratio: number; utilization?: number };
  /** What a pod that is not measured is taken to use when the load is low. */
  readonly fallback: (name: string) => number;
}): Proposal {
  const { current, pods, metrics, resource, tolerances, nowMs, ratioOf, fallback } = input;
  if (pods.length === 0) throw new Error("no pods returned by selector while calculating replica count");
  const { readyCount, unready, missing, ignored } = groupPods(pods, metrics, resource, nowMs);
  const known = new Set(pods.map((pod) => pod.metadata.name ?? ""));
  const values = new Map<string, number>();
  for (const [name, { valueMillis }] of metrics)
    if (known.has(name) && !ignored.has(name) && !unready.has(name)) values.set(name, valueMillis);
  if (values.size === 0) throw new Error("did not receive metrics for targeted pods (pods might be unready)");
  const first = ratioOf(values);
  const averageMillis = Math.trunc([...values.values()].reduce((sum, value) => sum + value, 0) / values.size);
  const told = {
    ratio: first.ratio,
    averageMillis,
    ...(first.utilization === undefined ? {} : { utilization: first.utilization }),
  };
  const growsWithUnready = unready.size > 0 && first.ratio > 1;
  if (!growsWithUnready && missing.size === 0) {
    const replicas = isWithin(first.ratio, tolerances) ? current : Math.ceil(first.ratio * readyCount);
    return { ...told, replicas };
  }
  // The benefit of the doubt, in the direction of no change: unknown pods are busy when shrinking, idle when growing.
  for (const name of missing) values.set(name, first.ratio < 1 ? fallback(name) : 0);
  if (growsWithUnready) for (const name of unready) values.set(name, 0);
  const { ratio } = ratioOf(values);
  const turns = (first.ratio < 1 && ratio > 1) || (first.ratio > 1 && ratio < 1);
  if (isWithin(ratio, tolerances) || turns) return { ...told, replicas: current };
  const replicas = Math.ceil(ratio * values.size);
  const contradicts = (ratio < 1 && replicas > current) || (ratio > 1 && replicas < current);
  return { ...told, replicas: contradicts ? current : replicas };
}

function isWithin(ratio: number, { up, down }: Tolerances): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}
