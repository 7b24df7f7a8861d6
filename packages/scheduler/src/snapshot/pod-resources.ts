import type { Container, Pod } from "@binnacle/api";
import { quantityToInteger, quantityToMillis } from "@binnacle/apimachinery";

/** Amounts by resource name: CPU in millis, everything else in whole units. */
export type Resources = Map<string, number>;
export type ReadonlyResources = ReadonlyMap<string, number>;

/** CPU and memory as nodes are compared by them. */
export interface NonZeroRequests {
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}

/** The amount of a quantity as {@link Resources} counts it. */
export function amountOf(name: string, quantity: string): number {
  return Number(name === "cpu" ? quantityToMillis(quantity) : quantityToInteger(quantity));
}

/**
 * What a pod asks a node for: the larger of what its containers need together and what any init container needs on
 * top of the sidecars started before it, plus overhead.
 *
 * Source: kubernetes v1.36 component-helpers/resource/helpers.go, PodRequests.
 */
export function podRequests(pod: Pod): ReadonlyResources {
  return measured(pod).requests;
}

/** Requests for comparing nodes: pods that ask for nothing still count a little. */
export function nonZeroRequests(pod: Pod): NonZeroRequests {
  return measured(pod).nonZero;
}

/** A pod is looked at once per node and try; what it asks for is read once, as pods are never changed in place. */
const measurements = new WeakMap<Pod, { requests: ReadonlyResources; nonZero: NonZeroRequests }>();

function measured(pod: Pod): { requests: ReadonlyResources; nonZero: NonZeroRequests } {
  let measurement = measurements.get(pod);
  if (measurement === undefined) {
    measurement = { requests: sumRequests(pod), nonZero: sumNonZero(pod) };
    measurements.set(pod, measurement);
  }
  return measurement;
}

function sumRequests(pod: Pod): Resources {
  const { spec } = pod;
  const total: Resources = new Map();
  for (const container of spec.containers) add(total, requestsOf(container));
  const sidecars: Resources = new Map();
  const initPeak: Resources = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = requestsOf(container);
    if (container.restartPolicy === "Always") {
      add(total, own);
      add(sidecars, own);
      raise(initPeak, sidecars);
    } else {
      const together: Resources = new Map(sidecars);
      add(together, own);
      raise(initPeak, together);
    }
  }
  raise(total, initPeak);
  for (const [name, quantity] of Object.entries(spec.resources?.requests ?? {}))
    total.set(name, amountOf(name, quantity));
  for (const [name, quantity] of Object.entries(spec.overhead ?? {}))
    add(total, new Map([[name, amountOf(name, quantity)]]));
  return total;
}

/** Source: pkg/scheduler/util/pod_resources.go: what pods without requests count as when nodes are compared. */
const DEFAULT_MILLI_CPU = 100;
const DEFAULT_MEMORY = 200 * 1024 * 1024;

function sumNonZero(pod: Pod): NonZeroRequests {
  let cpuMillis = 0;
  let memoryBytes = 0;
  for (const container of pod.spec.containers) {
    const requests = requestsOf(container);
    cpuMillis += requests.get("cpu") ?? DEFAULT_MILLI_CPU;
    memoryBytes += requests.get("memory") ?? DEFAULT_MEMORY;
  }
  return { cpuMillis, memoryBytes };
}

function requestsOf(container: Container): Resources {
  const requests: Resources = new Map();
  for (const [name, quantity] of Object.entries(container.resources?.requests ?? {})) {
    requests.set(name, amountOf(name, quantity));
  }
  return requests;
}

function add(total: Resources, more: Resources): void {
  for (const [name, amount] of more) total.set(name, (total.get(name) ?? 0) + amount);
}

function raise(total: Resources, floor: Resources): void {
  for (const [name, amount] of floor) total.set(name, Math.max(total.get(name) ?? 0, amount));
}
