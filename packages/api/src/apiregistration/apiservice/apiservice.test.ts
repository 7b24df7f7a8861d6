import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { APIServiceSpec } from "../../generated/apiregistration-v1.generated.ts";
import { apiServices } from "./index.ts";

const good: APIServiceSpec = { group: "g.io", version: "v1", groupPriorityMinimum: 100, versionPriority: 10 };

describe("an APIService", () => {
  it.each<[string, APIServiceSpec, string]>([
    ["v1.g.io", good, ""],
    [
      "v1.bad.io",
      good,
      'metadata.name: Invalid value: "v1.bad.io": must be `spec.version+"."+spec.group`: "v1.g.io"',
    ],
    [
      "v1.g.io",
      { ...good, groupPriorityMinimum: 0, versionPriority: 0 },
      "[spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000, spec.versionPriority: Invalid value: 0: must be positive and less than 1000]",
    ],
    [
      "v1.g.io",
      { ...good, service: { namespace: "n", name: "s" }, insecureSkipTLSVerify: true, caBundle: "YQ==" },
      "spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present",
    ],
  ])("%s with %j is judged", (name, spec, expected) => {
    const errors = apiServices.strategy.validate!({ metadata: { name }, spec });
    expect(errors.length === 0 ? "" : formatFieldErrors(errors)).toBe(expected);
  });

  it("is printed", () => {
    const service = { metadata: { name: "v1.g.io" }, spec: good };
    expect(apiServices.columns?.map((column) => column.cell(service, { nowMs: 0 }))).toEqual([
      "v1.g.io",
      "Local",
      "Unknown",
      "<unknown>",
    ]);
  });
});
