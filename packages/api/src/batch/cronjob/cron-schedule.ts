/** A schedule that cannot be read; the message is what the API reports. */
export class CronScheduleError extends Error {}

/** When something happens again and again. */
export type CronSchedule =
  | {
      readonly minutes: ReadonlySet<number>;
      readonly hours: ReadonlySet<number>;
      readonly daysOfMonth: ReadonlySet<number>;
      /** From 1. */
      readonly months: ReadonlySet<number>;
      /** From 0, Sunday. */
      readonly daysOfWeek: ReadonlySet<number>;
      /** A day must be in both lists when either says "any day", in one of the two otherwise. */
      readonly matchBothDays: boolean;
    }
  | { readonly everyMs: number };

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MINUTE: Bounds = { min: 0, max: 59 };
const HOUR: Bounds = { min: 0, max: 23 };
const DAY_OF_MONTH: Bounds = { min: 1, max: 31 };
const MONTH: Bounds = { min: 1, max: 12, names: MONTHS };
const DAY_OF_WEEK: Bounds = { min: 0, max: 6, names: DAYS };

const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

/**
 * Reads five fields (minute, hour, day of month, month, day of week), or a word such as `@hourly` or `@every 1h30m`.
 * A time zone in front (`TZ=…`, `CRON_TZ=…`) is passed over. Throws {@link CronScheduleError}.
 *
 * Source: github.com/robfig/cron v3 parser.go, ParseStandard, which CronJobs are read with.
 */
export function parseCronSchedule(text: string): CronSchedule {
  if (text === "") throw new CronScheduleError("empty spec string");
  const zone = /^(?:TZ|CRON_TZ)=\S*\s*/.exec(text);
  const spec = (zone === null ? text : text.slice(zone[0].length)).trim();
  if (spec.startsWith("@")) {
    const known = DESCRIPTORS.get(spec);
    return known === undefined ? parseEvery(spec) : parseFields(known);
  }
  return parseFields(spec);
}

function parseFields(spec: string): CronSchedule {
  const fields = spec.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== 5) {
    throw new CronScheduleError(`expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`);
  }
  const [minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = ""] = fields;
  const days = parseField(dayOfMonth, DAY_OF_MONTH);
  const weekdays = parseField(dayOfWeek, DAY_OF_WEEK);
  return {
    minutes: parseField(minute, MINUTE).values,
    hours: parseField(hour, HOUR).values,
    daysOfMonth: days.values,
    months: parseField(month, MONTH).values,
    daysOfWeek: weekdays.values,
    matchBothDays: days.isAny || weekdays.isAny,
  };
}

function parseField(field: string, bounds: Bounds): { values: Set<number>; isAny: boolean } {
  const values = new Set<number>();
  let isAny = false;
  for (const expression of field.split(",")) {
    if (expression !== "" && addRange(expression, bounds, values)) isAny = true;
  }
  return { values, isAny };
}

/** `number`, `number-number`, `*` or `?`, each with `/step`. Whether it stands for any value. */
function addRange(expression: string, { min, max, names }: Bounds, values: Set<number>): boolean {
  const [range = "", stepText, ...moreSlashes] = expression.split("/");
  const [low = "", high, ...moreHyphens] = range.split("-");
  const isStar = low === "*" || low === "?";
  let start = min;
  let end = max;
  if (!isStar) {
    start = parseNumber(low, names, min);
    if (moreHyphens.length > 0) throw new CronScheduleError(`too many hyphens: ${expression}`);
    end = high === undefined ? start : parseNumber(high, names, min);
  }
  if (moreSlashes.length > 0) throw new CronScheduleError(`too many slashes: ${expression}`);
  let step = 1;
  if (stepText !== undefined) {
    step = parseNumber(stepText, undefined, 0);
    if (!isStar && high === undefined) end = max;
  }
  if (start < min) {
    throw new CronScheduleError(`beginning of range (${start}) below minimum (${min}): ${expression}`);
  }
  if (end > max) throw new CronScheduleError(`end of range (${end}) above maximum (${max}): ${expression}`);
  if (start > end) {
    throw new CronScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  }
  if (step === 0) throw new CronScheduleError(`step of range should be a positive number: ${expression}`);
  for (let value = start; value <= end; value += step) values.add(value);
  return isStar && step === 1;
}

function parseNumber(text: string, names: readonly string[] | undefined, first: number): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + first;
  if (!/^[+-]?\d+$/.test(text)) {
    const why = `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
    throw new CronScheduleError(`failed to parse int from ${text}: ${why}`);
  }
  const value = Number(text);
  if (value < 0) throw new CronScheduleError(`negative number (${value}) not allowed: ${text}`);
  return value;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Intervals are whole seconds, one at least. */
function parseEvery(spec: string): CronSchedule {
  const prefix = "@every ";
  if (!spec.startsWith(prefix)) throw new CronScheduleError(`unrecognized descriptor: ${spec}`);
  const text = spec.slice(prefix.length);
  const fail = (why: string): CronScheduleError =>
    new CronScheduleError(`failed to parse duration ${spec}: time: ${why} ${JSON.stringify(text)}`);
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  const rest = text.slice(sign.length);
  if (rest === "0") return { everyMs: 1000 };
  const parts = [...rest.matchAll(/(\d+\.?\d*|\.\d+)([^\d.]+)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== rest) {
    throw fail(/^\d+(?:\.\d*)?$/.test(rest) ? "missing unit in duration" : "invalid duration");
  }
  let total = 0;
  for (const [, amount = "", unit = ""] of parts) {
    if (!Object.hasOwn(UNITS_MS, unit)) throw fail(`unknown unit ${JSON.stringify(unit)} in duration`);
    total += Number(amount) * (UNITS_MS[unit] ?? 0);
  }
  const seconds = Math.floor((sign === "-" ? -total : total) / 1000);
  return { everyMs: Math.max(1, seconds) * 1000 };
}
