import type { Container, Pod } from "@binnacle/api";

/** How a simulated pod behaves, read from its annotations. */
export interface Behaviour {
  /** From the first sync to running containers. Default 0. */
  readonly startDelayMs: number;
  /** How long main containers run before they exit. Undefined: for ever. Default: 1 s for pods of Jobs. */
  readonly runDurationMs: number | undefined;
  /** What main containers exit with. Default 0. */
  readonly exitCode: number;
  /** From running to ready, besides what the probes ask for. Default 0. */
  readonly readyDelayMs: number;
  /** From the request to stop to the end of all containers. Default 0; never longer than the grace period. */
  readonly stopDelayMs: number;
}

/** Prefix of the annotations that steer the simulation of a pod. Durations are Go's: `500ms`, `2m`. */
export const ANNOTATION_PREFIX = "simulation.binnacle.dev/";

const JOB_RUN_MS = 1_000;

/** Reads a pod's annotations; what cannot be read counts as not given. */
export function behaviourOf(pod: Pod): Behaviour {
  const annotations = pod.metadata.annotations ?? {};
  const duration = (name: string): number | undefined => parseDuration(annotations[ANNOTATION_PREFIX + name]);
  const isJob = (pod.metadata.ownerReferences ?? []).some(
    (owner) => owner.kind === "Job" && owner.controller === true,
  );
  const exitCode = Number(annotations[`${ANNOTATION_PREFIX}exit-code`] ?? "0");
  return {
    startDelayMs: duration("start-delay") ?? 0,
    runDurationMs: duration("run-duration") ?? (isJob ? JOB_RUN_MS : undefined),
    exitCode: Number.isInteger(exitCode) ? exitCode : 0,
    readyDelayMs: duration("ready-delay") ?? 0,
    stopDelayMs: duration("stop-delay") ?? 0,
  };
}

/** When a container that started now is ready by its probes. Source: kubernetes v1.36 pkg/kubelet/prober/worker.go. */
export function probeDelayMs(container: Container): number {
  const startup = container.startupProbe?.initialDelaySeconds ?? 0;
  const readiness = container.readinessProbe?.initialDelaySeconds ?? 0;
  return 1_000 * Math.max(startup, readiness);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function parseDuration(text: string | undefined): number | undefined {
  if (text === undefined || !/^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, , unit] of text.matchAll(/([0-9]+(\.[0-9]+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * UNITS[unit!]!;
  }
  return total;
}
