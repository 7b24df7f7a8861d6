import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type {
  FlowSchemaSpec,
  PriorityLevelConfigurationSpec,
} from "../generated/flowcontrol-v1.generated.ts";
import { flowSchemas } from "./flowschema/index.ts";
import { priorityLevelConfigurations } from "./prioritylevelconfiguration/index.ts";

const metadata = { name: "a" };

// Texts as observed on a v1.36 API server.
describe("a flow schema", () => {
  it.each<[FlowSchemaSpec, string]>([
    [{ priorityLevelConfiguration: { name: "global-default" } }, ""],
    [
      {
        priorityLevelConfiguration: { name: "" },
        rules: [{ subjects: [], resourceRules: [{ verbs: [], apiGroups: [], resources: [] }] }],
      },
      "[spec.priorityLevelConfiguration.name: Required value: must reference a priority level, spec.rules[0].subjects: Required value: subjects must contain at least one value, spec.rules[0].resourceRules[0].verbs: Required value: verbs must contain at least one value, spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group, spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource, spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace]",
    ],
  ])("with %j is judged", (spec, expected) => {
    const object = { metadata, spec: structuredClone(spec) };
    flowSchemas.defaults?.(object);
    const errors = flowSchemas.strategy.validate!(object);
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });
});

describe("a priority level", () => {
  it.each<[PriorityLevelConfigurationSpec, string]>([
    [{ type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } }, ""],
    [{ type: "X" }, 'spec.type: Unsupported value: "X": supported values: "Exempt", "Limited"'],
    [
      { type: "Limited", limited: { nominalConcurrencyShares: 1 } },
      'spec.limited.limitResponse.type: Unsupported value: "": supported values: "Queue", "Reject"',
    ],
    [
      { type: "Limited", limited: { nominalConcurrencyShares: -1, limitResponse: { type: "Queue" } } },
      "[spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer, spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited]",
    ],
  ])("with %j is judged", (spec, expected) => {
    const object = { metadata, spec: structuredClone(spec) };
    priorityLevelConfigurations.defaults?.(object);
    const errors = priorityLevelConfigurations.strategy.validate!(object);
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });
});
