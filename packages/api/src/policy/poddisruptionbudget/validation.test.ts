import { formatFieldErrors } from "@binnacle/apimachinery";
import { expect, it } from "vitest";
import type { PodDisruptionBudgetSpec } from "../../generated/policy-v1.generated.ts";
import { validatePodDisruptionBudget } from "./validation.ts";

it.each<[PodDisruptionBudgetSpec, string]>([
  [{ maxUnavailable: "25%" }, ""],
  [
    { maxUnavailable: "25%", minAvailable: 1 },
    'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"25%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ],
  [{ minAvailable: "125%" }, 'spec.minAvailable: Invalid value: "125%": must not be greater than 100%'],
  [{ minAvailable: -1 }, "spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"],
  [
    { minAvailable: "x" },
    "spec.minAvailable: Invalid value: \"x\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
  ],
])("judges %j", (spec, expected) => {
  const errors = validatePodDisruptionBudget({ metadata: {}, spec });
  expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
});
