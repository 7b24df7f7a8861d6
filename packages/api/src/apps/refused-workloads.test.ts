import { readFileSync } from "node:fs";
import { formatFieldErrors, type KubeObject } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import { builtinResources } from "../builtins.ts";

interface Refusal {
  readonly kind: string;
  readonly name: string;
  readonly spec?: unknown;
  readonly message: string;
}

/** What a v1.36 server answered. */
const refusals = JSON.parse(
  readFileSync(new URL("./testdata/refused.json", import.meta.url), "utf8"),
) as Refusal[];

describe("a workload that upstream refuses", () => {
  it.each(refusals)("is refused with the same words: $kind $name", ({ kind, name, spec, message }) => {
    const definition = builtinResources.find((candidate) => candidate.kind === kind);
    const object = { metadata: { name, namespace: "default" }, ...(spec === undefined ? {} : { spec }) };
    definition?.defaults?.(object as KubeObject);
    definition?.strategy.prepareForCreate?.(object as KubeObject, { nowMs: 0 });
    expect(formatFieldErrors(definition?.strategy.validate?.(object as KubeObject) ?? [])).toBe(message);
  });
});
