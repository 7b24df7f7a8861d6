import { readFile } from "node:fs/promises";
import { COMPONENT_NAMES, type ComponentName, type NodeTemplate } from "@binnacle/cluster";
import { type AuthorizationMode, parseTokenFile } from "@binnacle/kube-apiserver";
import { InvalidArgumentError } from "commander";

const AUTHORIZATION_MODES: readonly AuthorizationMode[] = ["Node", "RBAC", "AlwaysAllow", "AlwaysDeny"];

/** A port; 0 means a free one. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (text === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError("expected a port between 0 and 65535.");
  }
  return port;
}

/** How many nodes. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (text === "" || !Number.isInteger(count) || count < 0 || count > 5_000) {
    throw new InvalidArgumentError("expected a number between 0 and 5000.");
  }
  return count;
}

/** `true` or `false`. */
export function parseBoolean(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("expected true or false.");
  return text === "true";
}

export function parseComponents(text: string): ComponentName[] {
  return parseChoices(text, COMPONENT_NAMES);
}

export function parseAuthorizationModes(text: string): AuthorizationMode[] {
  return parseChoices(text, AUTHORIZATION_MODES);
}

export function parseList(text: string): string[] {
  return text.split(",").filter((part) => part !== "");
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration as Go writes it, such as `5m` or `1h30m`, in milliseconds; 0 is `0`. */
export function parseDurationMs(text: string): number {
  if (text === "0") return 0;
  if (!/^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/.test(text)) {
    throw new InvalidArgumentError("expected a duration such as 5m or 1h30m.");
  }
  let total = 0;
  for (const [, amount, , unit] of text.matchAll(/([0-9]+(\.[0-9]+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * UNITS_MS[unit!]!;
  }
  return total;
}

/**
 * A node: `name=gpu-1,labels=zone=a;disk=ssd,capacity=cpu=4;nvidia.com/gpu=1`. Fields are separated by commas, entries
 * of a field by semicolons.
 */
export function parseNode(text: string, earlier: readonly NodeTemplate[] = []): NodeTemplate[] {
  const fields = new Map<string, string>();
  for (const part of text.split(",")) {
    const at = part.indexOf("=");
    const name = part.slice(0, at);
    if (at <= 0 || !["name", "labels", "capacity"].includes(name)) {
      throw new InvalidArgumentError(
        `${JSON.stringify(part)} is not name=…, labels=key=value;… or capacity=resource=quantity;…`,
      );
    }
    fields.set(name, part.slice(at + 1));
  }
  const name = fields.get("name") ?? "";
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) {
    throw new InvalidArgumentError("a node needs a name of lower-case letters, digits, '-' and '.'.");
  }
  const labels = parseEntries(fields.get("labels"));
  const capacity = parseEntries(fields.get("capacity"));
  const node = {
    name,
    ...(labels === undefined ? {} : { labels }),
    ...(capacity === undefined ? {} : { capacity }),
  };
  return [...earlier, node];
}

function parseEntries(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  const entries = text.split(";").map((entry): [string, string] => {
    const at = entry.indexOf("=");
    if (at <= 0) throw new InvalidArgumentError(`${JSON.stringify(entry)} is not key=value.`);
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return Object.fromEntries(entries);
}

function parseChoices<T extends string>(text: string, known: readonly T[]): T[] {
  return parseList(text).map((name) => {
    const choice = known.find((each) => each === name);
    if (choice === undefined) {
      throw new InvalidArgumentError(`${JSON.stringify(name)} is not one of ${known.join(", ")}.`);
    }
    return choice;
  });
}

/** The text of a file a flag names; an error names the flag. */
export async function readFlagFile(flag: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : String(cause);
    throw new Error(`${flag}: cannot read ${path}: ${reason}`, { cause });
  }
}

/** The users of a token file. */
export async function readTokens(path: string | undefined): Promise<ReturnType<typeof parseTokenFile>> {
  const text = await readFlagFile("--token-auth-file", path);
  if (text === undefined) return [];
  try {
    return parseTokenFile(text);
  } catch (cause) {
    throw new Error(`--token-auth-file: ${path}: ${(cause as Error).message}`, { cause });
  }
}
