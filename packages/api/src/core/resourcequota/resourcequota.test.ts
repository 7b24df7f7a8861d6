import { formatFieldErrors } from "@binnacle/apimachinery";
import { expect, it } from "vitest";
import type { ResourceQuotaSpec } from "../../generated/core-v1.generated.ts";
import { resourceQuotas } from "./index.ts";
import { validateResourceQuota } from "./validation.ts";

it.each<[ResourceQuotaSpec, string]>([
  [{ hard: { pods: "5", "limits.cpu": "2", "count/x.y": "1", "requests.nvidia.com/gpu": "1" } }, ""],
  [
    { hard: { foo: "1", pods: "-1", "count/x.y": "500m" } },
    '[spec.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, spec.hard[foo]: Invalid value: "foo": must be a standard resource for quota, spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0, spec.hard[count/x.y]: Invalid value: "500m": must be an integer]',
  ],
  [
    { scopes: ["X", "BestEffort", "NotBestEffort"], hard: { pods: "1" } },
    '[spec.scopes: Invalid value: ["X","BestEffort","NotBestEffort"]: unsupported scope, spec.scopes: Invalid value: ["X","BestEffort","NotBestEffort"]: conflicting scopes]',
  ],
  [
    { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] } },
    "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
  ],
])("judges %j", (spec, expected) => {
  const errors = validateResourceQuota({ metadata: { name: "q" }, spec });
  expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
});

it("shows what is used of what", () => {
  const quota = {
    metadata: { name: "q" },
    spec: {},
    status: {
      hard: { pods: "5", "limits.cpu": "2", cpu: "1" },
      used: { pods: "1", cpu: "500m", "limits.cpu": "1" },
    },
  };
  expect(resourceQuotas.columns?.slice(1, 3).map((column) => column.cell(quota, { nowMs: 0 }))).toEqual([
    "cpu: 500m/1, pods: 1/5",
    "limits.cpu: 1/2",
  ]);
});
