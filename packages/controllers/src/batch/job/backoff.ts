/** Source: kubernetes v1.36 pkg/controller/job/job_controller.go, DefaultJobPodFailureBackOff, MaxJobPodFailureBackOff. */
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 600_000;

/** Failures in a row, and when the last was. */
export interface FailureRecord {
  readonly failures: number;
  readonly lastAtMs: number;
}

export const noFailures: FailureRecord = { failures: 0, lastAtMs: 0 };

/** The record after these pods have ended as well: a success ends the row. Source: backoff_utils.go. */
export function addOutcomes(
  record: FailureRecord,
  successesAtMs: readonly number[],
  failuresAtMs: readonly number[],
): FailureRecord {
  const lastSuccess = Math.max(Number.NEGATIVE_INFINITY, ...successesAtMs);
  const isFresh = successesAtMs.length > 0;
  const later = failuresAtMs.filter((atMs) => atMs > lastSuccess);
  const base = isFresh ? noFailures : record;
  if (later.length === 0) return base;
  return { failures: base.failures + later.length, lastAtMs: Math.max(base.lastAtMs, ...later) };
}

/** How long to wait before pods are created again: 10 s, doubling with each failure, up to 10 minutes. */
export function remainingMs({ failures, lastAtMs }: FailureRecord, nowMs: number): number {
  if (failures === 0) return 0;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return Math.max(0, lastAtMs + waitMs - nowMs);
}
