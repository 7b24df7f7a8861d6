import { formatFieldErrors } from "@binnacle/apimachinery";
import { expect, it } from "vitest";
import type { LimitRange, LimitRangeItem } from "../../generated/core-v1.generated.ts";
import { setLimitRangeDefaults, validateLimitRange } from "./validation.ts";

// Texts as observed on a v1.36 API server.
it.each<[LimitRangeItem[], string]>([
  [[{ type: "Container", max: { cpu: "1" } }], ""],
  [
    [{ type: "Container", min: { cpu: "2" }, max: { cpu: "1" } }],
    '[spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1, spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1, spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1]',
  ],
  [
    [{ type: "Pod", default: { cpu: "1" } }],
    "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
  ],
  [
    [{ type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "2" } }],
    'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
  ],
  [
    [{ type: "Container", maxLimitRequestRatio: { cpu: "500m" } }],
    'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
  ],
  [[{ type: "Pod" }, { type: "Pod" }], 'spec.limits[1].type: Duplicate value: "Pod"'],
])("judges %j", (limits, expected) => {
  const object: LimitRange = { metadata: { name: "l" }, spec: { limits: structuredClone(limits) } };
  setLimitRangeDefaults(object);
  const errors = validateLimitRange(object);
  expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
});

it("derives defaults from the bounds", () => {
  const object: LimitRange = {
    metadata: { name: "l" },
    spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" } }] },
  };
  setLimitRangeDefaults(object);
  expect(object.spec?.limits[0]).toEqual({
    type: "Container",
    max: { cpu: "2" },
    min: { memory: "1Mi" },
    default: { cpu: "2" },
    defaultRequest: { cpu: "2", memory: "1Mi" },
  });
});
