import { expect, it } from "vitest";
import { formatFieldErrors } from "../errors/status-error.ts";
import { validateLabelSelector } from "./label-selector.ts";

it.each([
  [undefined, ""],
  [{ matchLabels: { a: "b" }, matchExpressions: [{ key: "a", operator: "Exists" }] }, ""],
  [
    { matchExpressions: [{ key: "a", operator: "In" }] },
    "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  ],
  [
    { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] },
    "s.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  ],
  [
    { matchExpressions: [{ key: "a", operator: "X" }] },
    's.matchExpressions[0].operator: Invalid value: "X": not a valid selector operator',
  ],
])("judges %j", (selector, expected) => {
  const errors = validateLabelSelector(selector, "s");
  expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
});
