/**
 * How long something took or is ago, at a glance: `45s`, `3m20s`, `5d1h`.
 *
 * Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/duration/duration.go, HumanDuration.
 */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  // Clocks differ a little: the near future is now.
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return withRest(days, "d", hours % 24, "h");
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 365 * 8 ? withRest(years, "y", days % 365, "d") : `${years}y`;
}

/** The age of a timestamp in a table; `<unknown>` when there is none. */
export function ageOf(timestamp: string | null | undefined, nowMs: number): string {
  if (timestamp === undefined || timestamp === null || timestamp === "") return "<unknown>";
  return humanDuration(nowMs - Date.parse(timestamp));
}

function withRest(value: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${value}${unit}` : `${value}${unit}${rest}${restUnit}`;
}
