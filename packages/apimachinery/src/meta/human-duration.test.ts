import { expect, it } from "vitest";
import { ageOf, humanDuration } from "./human-duration.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  [-3 * SECOND, "<invalid>"],
  [-1500, "0s"],
  [0, "0s"],
  [119 * SECOND, "119s"],
  [2 * MINUTE, "2m"],
  [3 * MINUTE + 20 * SECOND, "3m20s"],
  [10 * MINUTE + 20 * SECOND, "10m"],
  [3 * HOUR, "3h"],
  [7 * HOUR + 5 * MINUTE, "7h5m"],
  [47 * HOUR, "47h"],
  [5 * DAY + HOUR, "5d1h"],
  [9 * DAY + HOUR, "9d"],
  [2 * 365 * DAY, "2y"],
  [2 * 365 * DAY + DAY, "2y1d"],
  [9 * 365 * DAY + DAY, "9y"],
])("%i ms are %s", (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

it("has no age without a timestamp", () => {
  expect(ageOf(undefined, 0)).toBe("<unknown>");
  expect(ageOf("1970-01-01T00:00:00Z", 5 * SECOND)).toBe("5s");
});
