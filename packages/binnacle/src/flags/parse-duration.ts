import { UsageError } from "./usage-error.ts";

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/**
 * Reads a duration as Go writes it, such as `1h30m`, `250ms` or `0`, in milliseconds. Throws {@link UsageError}.
 *
 * Source: Go time.ParseDuration.
 */
export function parseDuration(text: string, flag: string): number {
  const unsigned = text.replace(/^\+/, "");
  if (unsigned === "0") return 0;
  const parts = [...unsigned.matchAll(/([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== unsigned) {
    throw new UsageError(`${flag}: ${JSON.stringify(text)} is not a duration such as 10m or 1h30m`);
  }
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNIT_MS[unit!]!, 0); // The pattern's units.
}
