import { describe, expect, it } from "vitest";
import {
  msToMicroTime,
  msToTime,
  normalizeMicroTime,
  normalizeTime,
  TimeParseError,
  timeToMs,
} from "./time.ts";

describe("normalizeTime", () => {
  it.each([
    ["2020-01-02T03:04:05Z", "2020-01-02T03:04:05Z"],
    ["2020-01-02T03:04:05.999Z", "2020-01-02T03:04:05Z"],
    ["2020-01-02T03:04:05+02:00", "2020-01-02T01:04:05Z"],
    ["2020-02-29T23:59:59-00:30", "2020-03-01T00:29:59Z"],
    ["0001-01-01T00:00:00Z", null],
    ["0099-01-01T00:00:00Z", "0099-01-01T00:00:00Z"],
  ])("turns %s into %s", (text, expected) => {
    expect(normalizeTime(text)).toBe(expected);
  });

  const layout = '"2006-01-02T15:04:05Z07:00"';
  it.each([
    ["yesterday", `parsing time "yesterday" as ${layout}: cannot parse "yesterday" as "2006"`],
    ["", `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    ["2020-01-02", `parsing time "2020-01-02" as ${layout}: cannot parse "" as "T"`],
    [
      "2020-xx-02T00:00:00Z",
      `parsing time "2020-xx-02T00:00:00Z" as ${layout}: cannot parse "xx-02T00:00:00Z" as "01"`,
    ],
    ["2020-13-02T00:00:00Z", 'parsing time "2020-13-02T00:00:00Z": month out of range'],
    ["2021-02-29T00:00:00Z", 'parsing time "2021-02-29T00:00:00Z": day out of range'],
    ["2021-02-28T24:00:00Z", 'parsing time "2021-02-28T24:00:00Z": hour out of range'],
    ["2021-02-28T00:00:00", `parsing time "2021-02-28T00:00:00" as ${layout}: cannot parse "" as "Z07:00"`],
    ["2021-02-28T00:00:00Zx", 'parsing time "2021-02-28T00:00:00Zx": extra text: "x"'],
  ])("refuses %j", (text, message) => {
    expect(() => normalizeTime(text)).toThrow(new TimeParseError(message));
  });
});

describe("normalizeMicroTime", () => {
  it("keeps six digits and moves to UTC", () => {
    expect(normalizeMicroTime("2020-01-02T03:04:05.123456Z")).toBe("2020-01-02T03:04:05.123456Z");
    expect(normalizeMicroTime("2020-01-02T03:04:05.000001+01:00")).toBe("2020-01-02T02:04:05.000001Z");
    expect(normalizeMicroTime("0001-01-01T00:00:00.000000Z")).toBe(null);
  });

  it.each([
    [
      "2020-01-01T00:00:01Z",
      'parsing time "2020-01-01T00:00:01Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    ],
    [
      "2020-01-01T00:00:01.1234567Z",
      'parsing time "2020-01-01T00:00:01.1234567Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "7Z" as "Z07:00"',
    ],
  ])("refuses %s", (text, message) => {
    expect(() => normalizeMicroTime(text)).toThrow(new TimeParseError(message));
  });
});

describe("times and milliseconds", () => {
  it("convert both ways", () => {
    expect(msToTime(1_577_934_245_999)).toBe("2020-01-02T03:04:05Z");
    expect(msToMicroTime(1_577_934_245_999)).toBe("2020-01-02T03:04:05.999000Z");
    expect(timeToMs("2020-01-02T03:04:05.999000Z")).toBe(1_577_934_245_999);
    expect(timeToMs(undefined)).toBeNaN();
  });
});
