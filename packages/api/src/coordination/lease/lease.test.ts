import { formatFieldErrors } from "@binnacle/apimachinery";
import { expect, it } from "vitest";
import { validateLease } from "./index.ts";

it("refuses durations and counts that make no sense", () => {
  const errors = validateLease({ metadata: {}, spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } });
  expect(formatFieldErrors(errors)).toBe(
    "[spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0, spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0]",
  );
});
