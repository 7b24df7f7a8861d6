/** Wall-clock times in a place, as Go's time package computes them. */

/** A time on the wall, without a zone. `month` from 1, `weekday` from 0 (Sunday). */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
}

/** Converts between instants (milliseconds since the epoch, whole seconds) and wall time. */
export interface TimeZone {
  /** How far wall time is ahead of UTC at an instant, in milliseconds. */
  offsetMs(instantMs: number): number;
}

export const utc: TimeZone = { offsetMs: () => 0 };

/** A zone of the IANA database. Throws RangeError when there is none of this name. */
export function timeZone(name: string): TimeZone {
  if (name === "UTC") return utc;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  return {
    offsetMs(instantMs) {
      const text = format.formatToParts(instantMs).find((part) => part.type === "timeZoneName")?.value ?? "";
      const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text);
      if (match === null) return 0; // Plain GMT.
      const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
      return (match[1] === "-" ? -1000 : 1000) * seconds;
    },
  };
}

/** What the wall shows at an instant. */
export function wallTime(zone: TimeZone, instantMs: number): WallTime {
  const shifted = new Date(instantMs + zone.offsetMs(instantMs));
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
    weekday: shifted.getUTCDay(),
  };
}

/**
 * The instant at which the wall shows a time; days and months beyond the end carry over. A time that is skipped or
 * repeated when clocks change gives an instant that is right before or after the change.
 *
 * Source: Go time/time.go, Date.
 */
export function instantOf(
  zone: TimeZone,
  { year, month, day, hour = 0 }: { year: number; month: number; day: number; hour?: number },
): number {
  const unzoned = Date.UTC(year, month - 1, day, hour);
  const guess = zone.offsetMs(unzoned);
  // The offset at the guessed instant decides when it differs from the first guess.
  return unzoned - (guess === 0 ? 0 : zone.offsetMs(unzoned - guess));
}

/** RFC 3339 in whole seconds with the zone's offset, `Z` for none. */
export function formatZoned(zone: TimeZone, instantMs: number): string {
  const offsetMs = zone.offsetMs(instantMs);
  const text = new Date(instantMs + offsetMs).toISOString().slice(0, 19);
  if (offsetMs === 0) return `${text}Z`;
  const minutes = Math.abs(offsetMs) / 60_000;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${text}${offsetMs < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}
