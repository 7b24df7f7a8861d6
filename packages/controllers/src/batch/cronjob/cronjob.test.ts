import { type CronJob, parseCronSchedule } from "@binnacle/api";
import { describe, expect, it } from "vitest";
import { jobOf, surplusJobs } from "./job-of-cronjob.ts";
import { nextTime } from "./next-time.ts";
import { dueTimes, parseSchedule } from "./schedule-plan.ts";
import { formatZoned, timeZone, utc } from "./time-zone.ts";

const berlin = timeZone("Europe/Berlin");
const newYork = timeZone("America/New_York");
const kathmandu = timeZone("Asia/Kathmandu");

function next(schedule: string, after: string, zone = utc): string | undefined {
  const at = nextTime(parseCronSchedule(schedule), Date.parse(after), zone);
  return at === undefined ? undefined : formatZoned(zone, at);
}

describe("nextTime", () => {
  it.each([
    ["* * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"],
    ["* * * * *", "2026-01-01T00:00:59.900Z", "2026-01-01T00:01:00Z"],
    ["*/15 * * * *", "2026-01-01T00:45:00Z", "2026-01-01T01:00:00Z"],
    ["0 0 * * *", "2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z"],
    ["30 8 1 * *", "2026-01-01T08:30:00Z", "2026-02-01T08:30:00Z"],
    ["0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"],
    ["0 12 * * mon-fri", "2026-01-02T12:00:00Z", "2026-01-05T12:00:00Z"],
    ["0 0 13 * fri", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"],
    ["0 0 */2 * sun", "2026-01-04T00:00:00Z", "2026-01-05T00:00:00Z"],
    ["@hourly", "2026-12-31T23:30:00Z", "2027-01-01T00:00:00Z"],
    ["@every 1h30m", "2026-01-01T00:00:07.5Z", "2026-01-01T01:30:07Z"],
    ["59 23 31 2 *", "2026-01-01T00:00:00Z", undefined],
  ])("of %j after %s is %s", (schedule, after, expected) => {
    expect(next(schedule, after)).toBe(expected);
  });

  it.each([
    [
      "a skipped time is left out",
      "30 2 * * *",
      "2026-03-28T03:00:00+01:00",
      berlin,
      "2026-03-30T02:30:00+02:00",
    ],
    [
      "an hourly schedule goes over the gap",
      "30 * * * *",
      "2026-03-29T01:30:00+01:00",
      berlin,
      "2026-03-29T03:30:00+02:00",
    ],
    [
      "a repeated hour counts twice",
      "30 2 * * *",
      "2026-10-25T02:30:00+02:00",
      berlin,
      "2026-10-25T02:30:00+01:00",
    ],
    ["and then no more", "30 2 * * *", "2026-10-25T02:30:00+01:00", berlin, "2026-10-26T02:30:00+01:00"],
    [
      "days start at midnight of the zone",
      "0 0 * * *",
      "2026-07-01T12:00:00-04:00",
      newYork,
      "2026-07-02T00:00:00-04:00",
    ],
    [
      "offsets need not be whole hours",
      "0 9 * * *",
      "2026-01-01T09:00:00+05:45",
      kathmandu,
      "2026-01-02T09:00:00+05:45",
    ],
  ])("where clocks differ: %s", (_, schedule, after, zone, expected) => {
    expect(next(schedule, after, zone)).toBe(expected);
  });

  it("passes over a day whose midnight is skipped, as upstream does", () => {
    // Clocks in Beirut went from 0:00 to 1:00 on 27 March 2022.
    const beirut = timeZone("Asia/Beirut");
    expect(next("0 * 27 3 *", "2022-03-26T12:00:00Z", beirut)).toMatch(/^2023-03-27T00:00:00/);
    expect(next("0 12 * * *", "2022-03-26T12:00:00Z", beirut)).toBe("2022-03-27T12:00:00+03:00");
  });
});

function cronJob(spec: Partial<CronJob["spec"]>, status?: CronJob["status"]): CronJob {
  return {
    metadata: { name: "c", namespace: "n", uid: "u", creationTimestamp: "2026-01-01T00:00:30Z" },
    spec: {
      schedule: "* * * * *",
      jobTemplate: { metadata: { labels: { l: "1" } }, spec: { template: { spec: { containers: [] } } } },
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

describe("dueTimes", () => {
  const at = (time: string, spec: Partial<CronJob["spec"]> = {}, status?: CronJob["status"]) => {
    const object = cronJob(spec, status);
    const { due, ...rest } = dueTimes(object, parseSchedule(object), Date.parse(time));
    return { ...rest, due: due === undefined ? undefined : formatZoned(utc, due) };
  };

  it("waits for the first time after the creation", () => {
    expect(at("2026-01-01T00:00:40Z")).toEqual({ due: undefined, isManyMissed: false, waitMs: 20_100 });
  });

  it("is due at the time, once", () => {
    expect(at("2026-01-01T00:01:00Z")).toEqual({
      due: "2026-01-01T00:01:00Z",
      isManyMissed: false,
      waitMs: 60_100,
    });
    const status = { lastScheduleTime: "2026-01-01T00:01:00Z" };
    expect(at("2026-01-01T00:01:10Z", {}, status)).toEqual({
      due: undefined,
      isManyMissed: false,
      waitMs: 50_100,
    });
  });

  it("takes the latest of several missed times, and warns of very many", () => {
    expect(at("2026-01-01T00:05:20Z").due).toBe("2026-01-01T00:05:00Z");
    expect(at("2026-01-01T05:00:20Z")).toMatchObject({
      due: "2026-01-01T05:00:00Z",
      isManyMissed: true,
      waitMs: 40_100,
    });
  });

  it("forgets times older than the starting deadline", () => {
    expect(at("2026-01-01T00:05:50Z", { startingDeadlineSeconds: 20 })).toMatchObject({
      due: undefined,
      waitMs: 10_100,
    });
    expect(at("2026-01-01T00:05:10Z", { startingDeadlineSeconds: 20 }).due).toBe("2026-01-01T00:05:00Z");
  });

  it("reads the schedule in its zone", () => {
    const spec = { schedule: "0 9 * * *", timeZone: "Europe/Berlin" };
    expect(at("2026-01-01T08:00:00Z", spec).due).toBe("2026-01-01T08:00:00Z");
    expect(() => parseSchedule(cronJob({ timeZone: "Nowhere/Atall" }))).toThrow(RangeError);
  });
});

describe("jobOf", () => {
  it("is named for the minute and tells its time in the zone", () => {
    const due = Date.UTC(2026, 0, 1, 8);
    expect(jobOf(cronJob({}), due, timeZone("Europe/Berlin")).metadata).toEqual({
      name: `c-${due / 60_000}`,
      namespace: "n",
      labels: { l: "1" },
      annotations: { "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T09:00:00+01:00" },
      ownerReferences: [
        {
          apiVersion: "batch/v1",
          kind: "CronJob",
          name: "c",
          uid: "u",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
  });
});

describe("surplusJobs", () => {
  it("are the oldest beyond the limit", () => {
    const job = (name: string, startTime: string) => ({
      metadata: { name },
      spec: { template: { spec: { containers: [] } } },
      status: { startTime },
    });
    const all = [
      job("b", "2026-01-02T00:00:00Z"),
      job("a", "2026-01-01T00:00:00Z"),
      job("c", "2026-01-03T00:00:00Z"),
    ];
    expect(surplusJobs(all, 1).map((each) => each.metadata.name)).toEqual(["a", "b"]);
    expect(surplusJobs(all, 3)).toEqual([]);
  });
});
