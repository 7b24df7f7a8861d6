/**
 * What the labels of a namespace demand of its pods.
 *
 * Source: kubernetes v1.36 pod-security-admission/api/{constants,helpers}.go.
 */
import { type FieldError, invalid } from "@binnacle/apimachinery";

/** Least strict first. */
const LEVELS = ["privileged", "baseline", "restricted"] as const;

export type Level = (typeof LEVELS)[number];

/** A level as it was in a version of Kubernetes; `latest` is newer than all. */
export interface LevelVersion {
  readonly level: Level;
  /** The minor version; Infinity for `latest`. */
  readonly minor: number;
}

export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const LATEST = Number.POSITIVE_INFINITY;
const PRIVILEGED: LevelVersion = { level: "privileged", minor: LATEST };
const DEFAULT_POLICY: Policy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED };
const PREFIX = "pod-security.kubernetes.io/";

/** The policy of a namespace with these labels. There is always one: what cannot be read demands most, or warns of nothing. */
export function policyOf(labels: Readonly<Record<string, string>> | undefined): {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
} {
  if (labels === undefined || !Object.keys(labels).some((label) => label.startsWith(PREFIX))) {
    return { policy: DEFAULT_POLICY, errors: [] };
  }
  const errors: FieldError[] = [];
  const read = <T>(
    mode: string,
    parse: (text: string) => T | undefined,
    whenBad: T,
    why: string,
  ): T | undefined => {
    const label = PREFIX + mode;
    if (!Object.hasOwn(labels, label)) return undefined;
    const text = labels[label] ?? "";
    const value = parse(text);
    if (value === undefined) errors.push(invalid(`metadata.labels[${label}]`, text, why));
    return value ?? whenBad;
  };
  const readLevel = (mode: string, whenBad: Level): Level | undefined =>
    read(mode, parseLevel, whenBad, LEVEL_RULE);
  const readVersion = (mode: string): number | undefined =>
    read(`${mode}-version`, parseVersion, LATEST, VERSION_RULE);

  const enforceLevel = readLevel("enforce", "restricted");
  const isEnforceReadable = errors.length === 0;
  const enforce = { level: enforceLevel ?? "privileged", minor: readVersion("enforce") ?? LATEST };
  const audit = {
    level: readLevel("audit", "privileged") ?? "privileged",
    minor: readVersion("audit") ?? LATEST,
  };
  let warnLevel = readLevel("warn", "privileged");
  let warnMinor = readVersion("warn");
  if (warnLevel === undefined && enforceLevel !== undefined && isEnforceReadable) {
    // Who enforces a level wants to be warned of workloads that will not meet it.
    if (compareLevels(enforceLevel, "privileged") > 0) {
      warnLevel = enforceLevel;
      warnMinor ??= enforce.minor;
    }
  }
  const warn = { level: warnLevel ?? "privileged", minor: warnMinor ?? LATEST };
  return { policy: { enforce, audit, warn }, errors };
}

/** As messages show it, such as `baseline:latest` or `restricted:v1.25`. */
export function formatLevelVersion({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? "latest" : `v1.${minor}`}`;
}

/** Positive when `a` is stricter than `b`. */
export function compareLevels(a: Level, b: Level): number {
  return LEVELS.indexOf(a) - LEVELS.indexOf(b);
}

const LEVEL_RULE = `must be one of ${LEVELS.join(", ")}`;
const VERSION_RULE = 'must be "latest" or "v1.x"';

function parseLevel(text: string): Level | undefined {
  return LEVELS.find((level) => level === text);
}

function parseVersion(text: string): number | undefined {
  if (text === "latest") return LATEST;
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(text)?.[1];
  return minor === undefined ? undefined : Number(minor);
}
