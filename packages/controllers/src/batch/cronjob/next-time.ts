import type { CronSchedule } from "@binnacle/api";
import { instantOf, type TimeZone, wallTime } from "./time-zone.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A schedule such as 30 February never comes: the search ends after so many years. */
const YEARS = 5;

/**
 * The first time of a schedule after an instant, in milliseconds since the epoch; undefined when none comes within five
 * years. Where clocks change, a skipped time is left out and a repeated hour counts twice, as for Kubernetes.
 *
 * Source: github.com/robfig/cron v3 spec.go, SpecSchedule.Next, and constantdelay.go.
 */
export function nextTime(schedule: CronSchedule, afterMs: number, zone: TimeZone): number | undefined {
  const start = Math.floor(afterMs / SECOND_MS) * SECOND_MS;
  if ("everyMs" in schedule) return start + schedule.everyMs;
  // Schedules have no seconds: the first candidate is the next full minute, in every zone since 1972.
  let at = Math.floor(start / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const lastYear = wallTime(zone, at).year + YEARS;
  // From the first step on, what is smaller than the step has been set to its start.
  for (let hasMoved = false; ; hasMoved = true) {
    const wall = wallTime(zone, at);
    if (wall.year > lastYear) return undefined;
    if (!schedule.months.has(wall.month)) {
      at = instantOf(zone, { year: wall.year, month: wall.month + 1, day: 1 });
    } else if (!isOnDay(schedule, wall.day, wall.weekday)) {
      at = nextDay(zone, at, hasMoved ? wall.hour : 0);
    } else if (!schedule.hours.has(wall.hour)) {
      // By hours of real time: an hour that the clocks skip is never seen.
      at = at - (wall.minute * MINUTE_MS + wall.second * SECOND_MS) + HOUR_MS;
    } else if (!schedule.minutes.has(wall.minute)) {
      at += MINUTE_MS;
    } else {
      return at;
    }
  }
}

function isOnDay(
  schedule: Exclude<CronSchedule, { everyMs: number }>,
  day: number,
  weekday: number,
): boolean {
  const [byDay, byWeekday] = [schedule.daysOfMonth.has(day), schedule.daysOfWeek.has(weekday)];
  return schedule.matchBothDays ? byDay && byWeekday : byDay || byWeekday;
}

/**
 * The same hour of the next day, or midnight close to it: where clocks change at midnight, a day may begin at one, or
 * be passed over as upstream does.
 */
function nextDay(zone: TimeZone, at: number, hour: number): number {
  const { year, month, day } = wallTime(zone, at);
  const next = instantOf(zone, { year, month, day: day + 1, hour });
  const reached = wallTime(zone, next).hour;
  if (reached === 0) return next;
  return reached > 12 ? next + (24 - reached) * HOUR_MS : next - reached * HOUR_MS;
}
