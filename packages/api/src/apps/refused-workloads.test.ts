import { readFileSync } from "node:fs";
import { decodeObject, formatFieldErrors, type KubeObject } from "@binnacle/apimachinery";
import type { JsonValue } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import { builtinResources } from "../builtins.ts";

interface Refusal {
  readonly kind: string;
  readonly name: string;
  readonly spec?: JsonValue;
  readonly message: string;
}

/** What a v1.36 server answered. */
const refusals = JSON.parse(
  readFileSync(new URL("./testdata/refused.json", import.meta.url), "utf8"),
) as Refusal[];

describe("a workload that upstream refuses", () => {
  it.each(refusals)("is refused with the same words: $kind $name", ({ kind, name, spec, message }) => {
    const definition = builtinResources.find((candidate) => candidate.kind === kind)!;
    const sent = { metadata: { name, namespace: "default" }, ...(spec === undefined ? {} : { spec }) };
    const { value } = decodeObject<KubeObject>(definition.schema, sent);
    definition.defaults?.(value);
    definition.strategy.prepareForCreate?.(value, { nowMs: 0 });
    expect(formatFieldErrors(definition.strategy.validate?.(value) ?? [])).toBe(message);
  });
});
