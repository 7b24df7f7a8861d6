/**
 * Times on the wire: RFC 3339 in UTC, `Time` in whole seconds and `MicroTime` with six digits.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/time.go and micro_time.go; the errors are
 * those of Go's time.Parse.
 */

/** Text that is not a time. The message is Go's. */
export class TimeParseError extends Error {
  override readonly name = "TimeParseError";
}

const WHOLE_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const LAYOUT = "2006-01-02T15:04:05Z07:00";
const MICRO_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";
const ZERO_SECONDS = -62_135_596_800; // 0001-01-01T00:00:00Z, Go's zero time.

/** The time in UTC and whole seconds; null for Go's zero time. Throws {@link TimeParseError}. */
export function normalizeTime(text: string): string | null {
  if (WHOLE_SECONDS.test(text) && isRealTime(text)) return text;
  const { seconds } = parse(text, LAYOUT);
  return seconds === ZERO_SECONDS ? null : formatSeconds(seconds);
}

/** The time in UTC with six digits; null for Go's zero time. Throws {@link TimeParseError}. */
export function normalizeMicroTime(text: string): string | null {
  if (MICROSECONDS.test(text) && isRealTime(text)) return text;
  const { seconds, nanos } = parse(text, MICRO_LAYOUT);
  if (seconds === ZERO_SECONDS && nanos === 0) return null;
  return withMicros(seconds, Math.floor(nanos / 1000));
}

/** Milliseconds since the epoch of a time in either form; NaN for undefined, null and what is not a time. */
export function timeToMs(text: string | null | undefined): number {
  return text === undefined || text === null ? Number.NaN : Date.parse(text);
}

/** A `Time` from milliseconds since the epoch; the fraction of a second is dropped. */
export function msToTime(ms: number): string {
  return formatSeconds(Math.floor(ms / 1000));
}

/** A `MicroTime` from milliseconds since the epoch. */
export function msToMicroTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return withMicros(seconds, Math.round((ms - seconds * 1000) * 1000));
}

/** The time as protobuf holds it: seconds since the epoch and nanoseconds. */
export function timeToSeconds(text: string): { seconds: number; nanos: number } {
  return parse(text, LAYOUT);
}

/** A `Time` from seconds since the epoch. */
export function formatSeconds(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** A `MicroTime` from seconds since the epoch and microseconds. */
export function withMicros(seconds: number, micros: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, "0")}Z`;
}

/** The ranges of a text that has the right form. */
function isRealTime(text: string): boolean {
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8, 10));
  if (month < 1 || month > 12 || day < 1 || day > daysIn(Number(text.slice(0, 4)), month)) return false;
  if (text.startsWith("0001-01-01T")) return false; // Perhaps Go's zero time: take the long way.
  return text.slice(11, 13) < "24" && text.slice(14, 16) < "60" && text.slice(17, 19) < "60";
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Source: Go time/format.go, parse; only the elements that the two layouts have. */
function parse(text: string, layout: string): { seconds: number; nanos: number } {
  let rest = text;
  const fail = (value: string, element: string): never => {
    const where = `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}`;
    throw new TimeParseError(`${where}: cannot parse ${JSON.stringify(value)} as ${JSON.stringify(element)}`);
  };
  const outOfRange = (what: string): never => {
    throw new TimeParseError(`parsing time ${JSON.stringify(text)}: ${what} out of range`);
  };
  const literal = (character: string): void => {
    if (!rest.startsWith(character)) fail(rest, character);
    rest = rest.slice(1);
  };
  const number = (pattern: RegExp, element: string): number => {
    const digits = pattern.exec(rest)?.[0] ?? fail(rest, element);
    rest = rest.slice(digits.length);
    return Number(digits);
  };

  const year = number(/^\d{4}/, "2006");
  literal("-");
  const month = number(/^\d\d/, "01");
  if (month < 1 || month > 12) outOfRange("month");
  literal("-");
  const day = number(/^\d\d/, "02");
  literal("T");
  const hour = number(/^\d\d?/, "15");
  if (hour > 23) outOfRange("hour");
  literal(":");
  const minute = number(/^\d\d/, "04");
  if (minute > 59) outOfRange("minute");
  literal(":");
  const second = number(/^\d\d/, "05");
  if (second > 59) outOfRange("second");
  let fraction = "";
  if (layout === MICRO_LAYOUT) {
    fraction = /^[.,]\d{6}/.exec(rest)?.[0] ?? fail(rest, ".000000");
    rest = rest.slice(7);
  } else {
    fraction = /^[.,]\d+/.exec(rest)?.[0] ?? "";
    rest = rest.slice(fraction.length);
  }
  let offset = 0;
  if (rest.startsWith("Z")) rest = rest.slice(1);
  else {
    const zone = /^([+-])(\d\d):(\d\d)/.exec(rest) ?? fail(rest, "Z07:00");
    const hours = Number(zone[2]);
    const minutes = Number(zone[3]);
    if (hours > 24) outOfRange("time zone offset hour");
    if (minutes > 60) outOfRange("time zone offset minute");
    offset = (hours * 60 + minutes) * 60 * (zone[1] === "-" ? -1 : 1);
    rest = rest.slice(6);
  }
  if (rest !== "") {
    throw new TimeParseError(`parsing time ${JSON.stringify(text)}: extra text: ${JSON.stringify(rest)}`);
  }
  if (day < 1 || day > daysIn(year, month)) outOfRange("day");
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  utc.setUTCHours(hour, minute, second);
  return {
    seconds: utc.getTime() / 1000 - offset,
    nanos: Number(fraction.slice(1, 10).padEnd(9, "0")),
  };
}
