import { existsSync, readdirSync, readFileSync } from "node:fs";
import { DecodeError, decodeObject } from "@binnacle/apimachinery";
import { cloneJson, type JsonValue, jsonEquals } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { servedGroups } from "./generated/tables.generated.ts";
import { builtinSchema } from "./schema-registry.ts";

const corpus = ["../shared/golden", "../../shared/golden"].find(existsSync);

describe.skipIf(corpus === undefined && process.env["CI"] !== "true")("objects of a v1.36 API server", () => {
  const recorded = recordedObjects(corpus ?? "missing");

  it("are read back unchanged", () => {
    const changed: string[] = [];
    for (const { object, where } of recorded) {
      const schema = schemaOf(object);
      if (schema === undefined) continue;
      try {
        const { value, unknown } = decodeObject(schema, cloneJson(object));
        if (unknown.length > 0) changed.push(`${where}: ${unknown.join(", ")}`);
        else {
          const kept = Object.fromEntries(Object.entries(value).filter(([key]) => key in object));
          if (!jsonEquals(kept, object)) changed.push(`${where}: ${difference(object, kept)}`);
        }
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        changed.push(`${where}: ${error.message}`);
      }
    }
    expect([...new Set(changed)]).toEqual([]);
    expect(recorded.length).toBeGreaterThan(200);
  });
});

interface Recorded {
  readonly object: JsonObject;
  readonly where: string;
}

type JsonObject = { [key: string]: JsonValue };

function schemaOf(object: JsonObject) {
  for (const { package: packageName, group, version, kinds } of servedGroups) {
    const apiVersion = group === "" ? version : `${group}/${version}`;
    if (object["apiVersion"] === apiVersion && kinds.includes(String(object["kind"]))) {
      return builtinSchema(`${packageName}.${object["kind"]}`);
    }
  }
  return undefined;
}

/** Whole bodies of answers; placeholders of volatile values are replaced by values of the right form. */
function recordedObjects(folder: string): Recorded[] {
  const found: Recorded[] = [];
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    if (!file.endsWith(".json")) continue;
    const scenario = JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Scenario; // The corpus' own format.
    for (const step of scenario.steps) {
      const isCut = (step.ignore ?? []).some((path) => !path.startsWith("metadata/"));
      if (step.only !== undefined || isCut) continue;
      if (step.pick !== undefined) {
        const object = picked(step);
        if (object !== undefined) found.push({ object, where: `${file} ${object["kind"]}` });
        continue;
      }
      for (const body of [step.expect?.body, ...(step.expect?.events ?? []).map((event) => event.object)]) {
        if (!isObject(body) || (step.expect?.status ?? 200) >= 300) continue;
        const object = restore(body);
        if (isObject(object) && schemaOf(object) !== undefined)
          found.push({ object, where: `${file} ${object["kind"]}` });
      }
    }
  }
  return found;
}

/** The whole `spec`, `status` or the like of an answer whose kind the request tells. */
function picked(step: Step): JsonObject | undefined {
  const { kind, apiVersion } = isObject(step.request?.body) ? step.request.body : {};
  if (typeof kind !== "string" || typeof apiVersion !== "string" || (step.expect?.status ?? 500) >= 300) {
    return undefined;
  }
  const object: JsonObject = { kind, apiVersion };
  for (const [path, value] of Object.entries(isObject(step.expect?.body) ? step.expect.body : {})) {
    if (!path.includes("/") && value !== null) object[path] = restore(value);
  }
  return Object.keys(object).length > 2 && schemaOf(object) !== undefined ? object : undefined;
}

interface Scenario {
  steps: Step[];
}

interface Step {
  request?: { body?: JsonValue };
  pick?: unknown;
  ignore?: string[];
  only?: unknown;
  expect?: { status?: number; body?: JsonValue; events?: { object: JsonValue }[] };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function restore(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    if (value === "<time>") return "2026-01-02T03:04:05Z";
    if (value === "<microtime>") return "2026-01-02T03:04:05.000000Z";
    if (/^<nodePort:\d+>$/.test(value)) return 30_000;
    if (value === "<base64pem>" || value === "<whca>") return "YWJj";
    return value;
  }
  if (Array.isArray(value)) return value.map(restore);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, restore(inner)]));
}

/** The first place where two values differ. */
function difference(a: unknown, b: unknown, path = ""): string {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return `${path}: ${JSON.stringify(a)} became ${JSON.stringify(b)}`;
  }
  const left = a as Record<string, unknown>; // Any object or array can be read by key.
  const right = b as Record<string, unknown>;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (!jsonEquals(left[key], right[key])) return difference(left[key], right[key], `${path}.${key}`);
  }
  return path;
}
