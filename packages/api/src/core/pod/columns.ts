import { ageOf, type Column } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text, wide } from "../../column-builders.ts";
import type { ContainerState, ContainerStatus, Pod } from "../../generated/core-v1.generated.ts";
import { isSidecar } from "./pod-resources.ts";

const NONE = "<none>";

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, podColumnDefinitions and printPod. */
export const podColumns: readonly Column<Pod>[] = columnsFor<Pod>("pods", [
  nameColumn,
  text("Ready", (pod) => {
    const { ready, total } = summarize(pod);
    return `${ready}/${total}`;
  }),
  text("Status", (pod) => summarize(pod).reason),
  text("Restarts", (pod, { nowMs }) => {
    const { restarts, lastRestart } = summarize(pod);
    return restarts === 0 || lastRestart === ""
      ? `${restarts}`
      : `${restarts} (${ageOf(lastRestart, nowMs)} ago)`;
  }),
  ageColumn,
  wide("IP", ({ status }) => status?.podIPs?.[0]?.ip || NONE),
  wide("Node", ({ spec }) => spec.nodeName || NONE),
  wide("Nominated Node", ({ status }) => status?.nominatedNodeName || NONE),
  wide("Readiness Gates", readinessGates),
]);

interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When a container last restarted, RFC 3339; empty: never. */
  readonly lastRestart: string;
}

class Restarts {
  count = 0;
  last = "";

  add(status: ContainerStatus): void {
    this.count += status.restartCount ?? 0;
    const finishedAt = status.lastState?.terminated?.finishedAt ?? "";
    // Times on objects are all in UTC to the second, so they compare as text.
    if (finishedAt > this.last) this.last = finishedAt;
  }
}

function summarize(pod: Pod): Summary {
  const { spec, status = {} } = pod;
  const sidecars = new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
  const initial = readInitContainers(pod, sidecars);
  let { reason, ready } = initial;
  let restarts = initial.all;
  if (initial.done || isConditionTrue(pod, "Initialized")) {
    restarts = initial.ofSidecars;
    const main = readMainContainers(status.containerStatuses ?? [], restarts);
    ready += main.ready;
    reason = main.reason ?? reason;
    // One container has completed while another still runs.
    if (reason === "Completed" && main.running)
      reason = isConditionTrue(pod, "Ready") ? "Running" : "NotReady";
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (status.reason === "NodeLost") reason = "Unknown";
    else if (status.phase !== "Succeeded" && status.phase !== "Failed") reason = "Terminating";
  }
  return {
    ready,
    total: (spec.containers ?? []).length + sidecars.size,
    reason,
    restarts: restarts.count,
    lastRestart: restarts.last,
  };
}

function readInitContainers(
  { spec, status = {} }: Pod,
  sidecars: ReadonlySet<string>,
): { reason: string; ready: number; done: boolean; all: Restarts; ofSidecars: Restarts } {
  const gated = status.conditions?.some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  const start = gated ? "SchedulingGated" : status.reason || (status.phase ?? "");
  const all = new Restarts();
  const ofSidecars = new Restarts();
  let ready = 0;
  for (const [i, container] of (status.initContainerStatuses ?? []).entries()) {
    const sidecar = sidecars.has(container.name);
    all.add(container);
    if (sidecar) ofSidecars.add(container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) continue;
    if (sidecar && container.started === true) {
      if (container.ready) ready++;
      continue;
    }
    let reason = `Init:${i}/${(spec.initContainers ?? []).length}`;
    if (terminated !== undefined) reason = `Init:${terminated.reason || exitOf(terminated)}`;
    else if (waiting?.reason && waiting.reason !== "PodInitializing") reason = `Init:${waiting.reason}`;
    return { reason, ready, done: false, all, ofSidecars };
  }
  return { reason: start, ready, done: true, all, ofSidecars };
}

function readMainContainers(
  statuses: readonly ContainerStatus[],
  restarts: Restarts,
): { ready: number; running: boolean; reason: string | undefined } {
  let ready = 0;
  let reason: string | undefined;
  for (const container of statuses.toReversed()) {
    restarts.add(container);
    const { waiting, terminated, running } = container.state ?? {};
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated !== undefined) reason = terminated.reason || exitOf(terminated);
    else if (container.ready && running !== undefined) ready++;
  }
  return { ready, running: ready > 0, reason };
}

function exitOf({ signal, exitCode }: NonNullable<ContainerState["terminated"]>): string {
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;
}

function isConditionTrue({ status }: Pod, type: string): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true
  );
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const passed = gates.filter(({ conditionType }) => isConditionTrue(pod, conditionType));
  return `${passed.length}/${gates.length}`;
}
