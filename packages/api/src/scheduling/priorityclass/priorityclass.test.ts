import { formatFieldErrors } from "@binnacle/apimachinery";
import { expect, it } from "vitest";
import { priorityClasses } from "./index.ts";

const { strategy } = priorityClasses;

it.each([
  ["a", 100, ""],
  ["a", 2_000_000_001, "value: Forbidden: maximum allowed value of a user defined priority is 1000000000"],
  ["system-node-critical", 2_000_001_000, ""],
  [
    "system-x",
    1,
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
  ],
])("judges %s of %i", (name, value, expected) => {
  const errors = strategy.validate!({ metadata: { name }, value });
  expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
});

it("keeps its value", () => {
  const errors = strategy.validateUpdate!(
    { metadata: { name: "a" }, value: 2 },
    { metadata: { name: "a" }, value: 1 },
  );
  expect(formatFieldErrors(errors)).toBe("value: Forbidden: may not be changed in an update.");
});
