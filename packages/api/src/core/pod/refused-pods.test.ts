import { readFileSync } from "node:fs";
import { decodeObject, formatFieldErrors } from "@binnacle/apimachinery";
import type { JsonValue } from "@binnacle/base";
import { describe, expect, it } from "vitest";
import type { Pod } from "../../generated/core-v1.generated.ts";
import { pods } from "./index.ts";

interface Refusal {
  readonly name: string;
  readonly spec: JsonValue;
  readonly message: string;
}

/** What a v1.36 server answered. */
const refusals = JSON.parse(
  readFileSync(new URL("./testdata/refused.json", import.meta.url), "utf8"),
) as Refusal[];

describe("a pod that upstream refuses", () => {
  it.each(refusals)("is refused with the same words: $name", ({ name, spec, message }) => {
    const { value: pod } = decodeObject<Pod>(pods.schema, { metadata: { name, namespace: "default" }, spec });
    pods.defaults?.(pod);
    pods.strategy.prepareForCreate?.(pod, { nowMs: 0 });
    pod.spec.serviceAccountName ||= "default"; // Admission has done so.
    expect(formatFieldErrors(pods.strategy.validate?.(pod) ?? [])).toBe(message);
  });
});
