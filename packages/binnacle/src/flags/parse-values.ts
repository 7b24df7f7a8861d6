import { isIP } from "node:net";
import { UsageError } from "./usage-error.ts";

/** A whole number of at least 0 and at most `max`. */
export function parseCount(text: string, flag: string, max: number): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value > max) {
    throw new UsageError(`${flag}: ${JSON.stringify(text)} is not a whole number from 0 to ${max}`);
  }
  return value;
}

/** `true` or `false`; a flag without a value is true. Source: Go strconv.ParseBool. */
export function parseBoolean(value: string | true, flag: string): boolean {
  if (value === true || ["1", "t", "T", "true", "TRUE", "True"].includes(value)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(value)) return false;
  throw new UsageError(`${flag}: ${JSON.stringify(value)} is neither true nor false`);
}

/** One of a few words. */
export function parseChoice<T extends string>(text: string, flag: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) {
    throw new UsageError(`${flag}: ${JSON.stringify(text)} is unknown; known are ${choices.join(", ")}`);
  }
  return found;
}

/** Words separated by commas; the flag may also be given several times. */
export function parseList(texts: readonly string[] | undefined): string[] {
  return (texts ?? [])
    .flatMap((text) => text.split(","))
    .flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
}

/** An IP address. */
export function parseAddress(text: string, flag: string): string {
  if (isIP(text) === 0) throw new UsageError(`${flag}: ${JSON.stringify(text)} is not an IP address`);
  return text;
}

/** A name that can be part of a path and of a context. */
export function parseClusterName(text: string): string {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) {
    throw new UsageError(
      `--name: ${JSON.stringify(text)} is not a name: lower-case letters, digits and dashes, at most 63, were expected`,
    );
  }
  return text;
}
