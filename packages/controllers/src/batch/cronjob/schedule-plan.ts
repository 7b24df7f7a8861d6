/**
 * When a CronJob is due: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/cronjob/utils.go.
 */
import { type CronJob, type CronSchedule, parseCronSchedule } from "@binnacle/api";
import { timeToMs } from "@binnacle/apimachinery";
import { nextTime } from "./next-time.ts";
import { type TimeZone, timeZone, utc } from "./time-zone.ts";

/** A little later than the time itself, so that it has certainly come. Source: cronjob_controllerv2.go, nextScheduleDelta. */
const DELTA_MS = 100;
/** More missed times than this are worth a warning. */
const MANY_MISSED = 100;

export interface ParsedSchedule {
  readonly schedule: CronSchedule;
  readonly zone: TimeZone;
}

/** Reads a CronJob's schedule in its time zone. Throws CronScheduleError, and RangeError for an unknown zone. */
export function parseSchedule({ spec }: CronJob): ParsedSchedule {
  const inline = /^(?:TZ|CRON_TZ)=(\S*)/.exec(spec.schedule)?.[1];
  const name = spec.timeZone ?? inline;
  return { schedule: parseCronSchedule(spec.schedule), zone: name === undefined ? utc : timeZone(name) };
}

/** The times that matter now. */
export interface DueTimes {
  /** The latest time that has come and not been acted on, in milliseconds; undefined when none has. */
  readonly due: number | undefined;
  /** So many times were missed that something must be wrong. */
  readonly isManyMissed: boolean;
  /** How long until the next time; undefined when there is none. */
  readonly waitMs: number | undefined;
}

export function dueTimes(cronJob: CronJob, parsed: ParsedSchedule, nowMs: number): DueTimes {
  const { startingDeadlineSeconds } = cronJob.spec;
  const last = timeToMs(cronJob.status?.lastScheduleTime);
  const since = Number.isNaN(last) ? timeToMs(cronJob.metadata.creationTimestamp) : last;
  const deadline =
    startingDeadlineSeconds === undefined ? Number.NEGATIVE_INFINITY : nowMs - startingDeadlineSeconds * 1000;
  const missed = latestTime(parsed, Math.max(since, deadline), nowMs);
  // The next time is counted from the last that has come, whatever the deadline.
  const all = deadline > since ? latestTime(parsed, since, nowMs) : missed;
  const from = all.latest ?? (all.count > 0 ? nowMs : since);
  const next = nextTime(parsed.schedule, from, parsed.zone);
  return {
    due: missed.latest,
    isManyMissed: missed.count > MANY_MISSED,
    waitMs: next === undefined ? undefined : Math.max(0, next + DELTA_MS - nowMs),
  };
}

/** The latest time after `since` and not after now, and about how many there were. */
function latestTime(
  { schedule, zone }: ParsedSchedule,
  since: number,
  nowMs: number,
): { latest: number | undefined; count: number } {
  const first = nextTime(schedule, since, zone);
  if (first === undefined || nowMs < first) return { latest: undefined, count: 0 };
  const second = nextTime(schedule, first, zone);
  if (second === undefined || nowMs < second) return { latest: first, count: 1 };
  const intervalMs = second - first;
  const count = Math.floor((nowMs - first) / intervalMs) + 1;
  // Close to the end by arithmetic, the rest by the schedule: intervals need not be equal.
  const start = Math.max(since, first + (count - 2) * intervalMs);
  let latest: number | undefined;
  for (
    let at = nextTime(schedule, start, zone);
    at !== undefined && at <= nowMs;
    at = nextTime(schedule, at, zone)
  )
    latest = at;
  return { latest: latest ?? first, count };
}
