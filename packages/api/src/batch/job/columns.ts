import { ageOf, type Column, humanDuration, timeToMs } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text, wide } from "../../column-builders.ts";
import { containerColumns, formatSelector } from "../../core/pod/template-columns.ts";
import type { Job } from "../../generated/batch-v1.generated.ts";
import { hasJobCondition } from "./status-validation.ts";

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printJob. */
export const jobColumns: readonly Column<Job>[] = columnsFor<Job>("jobs", [
  nameColumn,
  text("Status", status),
  text("Completions", completions),
  text("Duration", ({ status: { startTime, completionTime } = {} }, { nowMs }) => {
    if (startTime === undefined) return "";
    if (completionTime === undefined) return ageOf(startTime, nowMs);
    return humanDuration(timeToMs(completionTime) - timeToMs(startTime));
  }),
  ageColumn,
  ...containerColumns<Job>(({ spec }) => spec.template, 1),
  wide("Selector", ({ spec }) => formatSelector(spec.selector)),
]);

function status(job: Job): string {
  if (hasJobCondition(job, "Complete")) return "Complete";
  if (hasJobCondition(job, "Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  if (hasJobCondition(job, "Suspended")) return "Suspended";
  if (hasJobCondition(job, "FailureTarget")) return "FailureTarget";
  if (hasJobCondition(job, "SuccessCriteriaMet")) return "SuccessCriteriaMet";
  return "Running";
}

function completions({ spec, status: { succeeded = 0 } = {} }: Job): string {
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}
