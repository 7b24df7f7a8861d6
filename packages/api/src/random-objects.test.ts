import {
  DecodeError,
  decodeObject,
  type KubeObject,
  type ResourceDefinition,
  type Schema,
} from "@binnacle/apimachinery";
import { createSeededRandom, type JsonValue } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { builtinResources } from "./builtins.ts";

const OBJECTS = 150;
const CONTEXT = { nowMs: 0 };
const STRINGS = ["", "a", "10", "1Gi", "Always", "TCP", "In", "x/y", "10.0.0.1", "*", "a".repeat(70)];

describe("what decodes, however odd", () => {
  it.each(builtinResources)("is answered with errors, not with a crash: $kind", (definition) => {
    const random = createSeededRandom(definition.kind.length);
    for (let i = 0; i < OBJECTS; i++) {
      const first = frozen(prepared(definition, randomObject(definition, random)));
      const second = randomObject(definition, random);
      expect(() => createAndUpdate(definition, first, second)).not.toThrow();
    }
  });
});

/** Every function that the server calls on writes; the stored object is frozen, as it is in the server. */
function createAndUpdate(definition: ResourceDefinition, first: KubeObject, second: KubeObject): void {
  const { strategy, status, columns, selectableFields } = definition;
  const errors = strategy.validate?.(first) ?? [];
  strategy.warningsOnCreate?.(first);
  if (errors.length === 0) for (const { cell } of columns ?? []) cell(first, CONTEXT);
  selectableFields?.(first);
  strategy.gracePeriodSeconds?.(first, undefined);

  const updated = structuredClone(second);
  definition.defaults?.(updated);
  strategy.prepareForUpdate?.(updated, first, CONTEXT);
  strategy.validateUpdate?.(updated, first);
  strategy.warningsOnUpdate?.(updated, first);

  const withStatus = structuredClone({ ...first, status: (second as { status?: unknown }).status });
  status?.prepareForUpdate?.(withStatus, first, CONTEXT);
  status?.validateUpdate?.(withStatus, first);
  status?.warningsOnUpdate?.(withStatus, first);
}

function prepared(definition: ResourceDefinition, object: KubeObject): KubeObject {
  definition.defaults?.(object);
  definition.strategy.prepareForCreate?.(object, CONTEXT);
  return object;
}

type Random = ReturnType<typeof createSeededRandom>;

function randomObject({ schema }: ResourceDefinition, random: Random): KubeObject {
  const density = random.next() * 0.6;
  const depth = 3 + Math.floor(random.next() * 5);
  for (;;) {
    const json = randomValue(schema, { random, density }, depth) as Record<string, JsonValue>; // A kind is a struct.
    json["metadata"] = { name: "a", namespace: "default", uid: "u", labels: { a: "b" } };
    try {
      return decodeObject<KubeObject>(schema, json).value;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error; // Another try: some strings are no quantities, and so on.
    }
  }
}

interface Dice {
  readonly random: Random;
  /** How likely an optional field is there. */
  readonly density: number;
}

function randomValue(schema: Schema, dice: Dice, depth: number): JsonValue {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(dice.random.next() * values.length)]!;
  switch (schema.type) {
    case "object": {
      const out: Record<string, JsonValue> = {};
      for (const { name, schema: type, required } of schema.fields.values()) {
        const chance = Math.max(depth > 0 ? dice.density : 0, required ? 0.6 : 0);
        if (depth >= 0 && dice.random.next() < chance) out[name] = randomValue(type, dice, depth - 1);
      }
      return out;
    }
    case "map":
      return pick([true, false]) ? {} : { [pick(STRINGS)]: randomValue(schema.values, dice, depth - 1) };
    case "list":
      return Array.from({ length: pick([0, 1, 2]) }, () => randomValue(schema.items, dice, depth - 1));
    case "boolean":
      return pick([true, false]);
    case "integer":
    case "number":
      return pick([0, 1, -1, 5, 70_000]);
    case "intOrString":
      return pick([0, 1, -1, "10%", "http"]);
    case "quantity":
      return pick(["1", "100m", "1Gi", "-1", "0"]);
    case "time":
      return "2026-01-01T00:00:00Z";
    case "microTime":
      return "2026-01-01T00:00:00.000000Z";
    case "duration":
      return "1m0s";
    case "bytes":
      return "YQ==";
    case "any":
      return pick<JsonValue>([null, {}, { a: 1 }]);
    case "fieldsV1":
      return {};
    default:
      return pick(STRINGS);
  }
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}
