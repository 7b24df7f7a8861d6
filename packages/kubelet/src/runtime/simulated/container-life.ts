/** What one simulated container is doing at a moment. */
export type ContainerPhase =
  | { readonly state: "waiting"; readonly reason: string; readonly message?: string }
  | { readonly state: "running"; readonly startedAtMs: number; readonly isReady: boolean }
  | {
      readonly state: "terminated";
      readonly startedAtMs: number;
      readonly finishedAtMs: number;
      readonly exitCode: number;
    };

/** A container's whole story up to a moment. */
export interface ContainerLife {
  readonly phase: ContainerPhase;
  readonly restarts: number;
  /** The end of the run before this one. */
  readonly lastRun?: {
    readonly startedAtMs: number;
    readonly finishedAtMs: number;
    readonly exitCode: number;
  };
  /** When the phase changes by itself. */
  readonly nextChangeAtMs: number | undefined;
}

export interface ContainerPlan {
  /** When it starts for the first time. */
  readonly startAtMs: number;
  /** Undefined: it never exits by itself. */
  readonly runDurationMs: number | undefined;
  readonly exitCode: number;
  readonly readyAfterMs: number;
  readonly restartPolicy: "Always" | "OnFailure" | "Never";
}

/** Source: kubernetes v1.36 pkg/kubelet/kubelet.go, backOffPeriod and MaxContainerBackOff. */
const FIRST_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 300_000;

/**
 * Pure: where a container stands at `nowMs`. The story depends on the plan and the time alone, so asking late gives
 * the same answer as asking often.
 */
export function containerLifeAt(plan: ContainerPlan, nowMs: number): ContainerLife {
  const { runDurationMs, exitCode, readyAfterMs } = plan;
  let startedAtMs = plan.startAtMs;
  let restarts = 0;
  let lastRun: ContainerLife["lastRun"];
  for (;;) {
    if (nowMs < startedAtMs) {
      const phase: ContainerPhase =
        restarts === 0
          ? { state: "waiting", reason: "ContainerCreating" }
          : {
              state: "waiting",
              reason: "CrashLoopBackOff",
              message: `back-off ${formatBackoff(backoffMs(restarts))} restarting failed container`,
            };
      return {
        phase,
        restarts: Math.max(0, restarts - 1),
        ...withLast(lastRun),
        nextChangeAtMs: startedAtMs,
      };
    }
    const finishedAtMs = runDurationMs === undefined ? undefined : startedAtMs + runDurationMs;
    if (finishedAtMs === undefined || nowMs < finishedAtMs) {
      const readyAtMs = startedAtMs + readyAfterMs;
      const isReady = nowMs >= readyAtMs;
      const next = isReady ? finishedAtMs : Math.min(readyAtMs, finishedAtMs ?? Number.POSITIVE_INFINITY);
      return {
        phase: { state: "running", startedAtMs, isReady },
        restarts,
        ...withLast(lastRun),
        nextChangeAtMs: next,
      };
    }
    const restartsAgain =
      plan.restartPolicy === "Always" || (plan.restartPolicy === "OnFailure" && exitCode !== 0);
    if (!restartsAgain) {
      const phase: ContainerPhase = { state: "terminated", startedAtMs, finishedAtMs, exitCode };
      return { phase, restarts, ...withLast(lastRun), nextChangeAtMs: undefined };
    }
    lastRun = { startedAtMs, finishedAtMs, exitCode };
    restarts++;
    // The first restart is immediate, then the back-off doubles.
    startedAtMs = finishedAtMs + (restarts === 1 ? 0 : backoffMs(restarts));
  }
}

function backoffMs(restarts: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, restarts - 2));
}

function formatBackoff(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

function withLast(lastRun: ContainerLife["lastRun"]): { lastRun?: NonNullable<ContainerLife["lastRun"]> } {
  return lastRun === undefined ? {} : { lastRun };
}
