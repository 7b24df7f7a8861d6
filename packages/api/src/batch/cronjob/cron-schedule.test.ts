import { describe, expect, it } from "vitest";
import { type CronSchedule, parseCronSchedule } from "./cron-schedule.ts";

function fields(schedule: CronSchedule): unknown[] {
  if ("everyMs" in schedule) return [schedule.everyMs];
  const { minutes, hours, daysOfMonth, months, daysOfWeek, matchBothDays } = schedule;
  const short = (set: ReadonlySet<number>): string =>
    set.size > 6 ? `${set.size} values` : [...set].sort((a, b) => a - b).join(",");
  return [...[minutes, hours, daysOfMonth, months, daysOfWeek].map(short), matchBothDays];
}

describe("parseCronSchedule", () => {
  it.each<[string, unknown[]]>([
    ["*/15 0 1,15 * 1-5", ["0,15,30,45", "0", "1,15", "12 values", "1,2,3,4,5", false]],
    ["0 9 * jan MON", ["0", "9", "31 values", "1", "1", true]],
    ["5/20 * ? * ?", ["5,25,45", "24 values", "31 values", "12 values", "7 values", true]],
    ["@hourly", ["0", "24 values", "31 values", "12 values", "7 values", true]],
    ["@yearly", ["0", "0", "1", "1", "7 values", true]],
    ["TZ=UTC 0 0 * * *", ["0", "0", "31 values", "12 values", "7 values", true]],
    ["@every 1h30m", [5_400_000]],
    ["@every 10ms", [1000]],
  ])("reads %s", (text, expected) => expect(fields(parseCronSchedule(text))).toEqual(expected));

  it.each([
    ["", "empty spec string"],
    ["* * *", "expected exactly 5 fields, found 3: [* * *]"],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["1/2/3 * * * *", "too many slashes: 1/2/3"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ["@never", "unrecognized descriptor: @never"],
    ["@every x", 'failed to parse duration @every x: time: invalid duration "x"'],
  ])("refuses %j", (text, message) => expect(() => parseCronSchedule(text)).toThrow(message));
});
