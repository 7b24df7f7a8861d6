import { describe, expect, it } from "vitest";
import { formatLevelVersion, policyOf } from "./policy.ts";

const P = "pod-security.kubernetes.io/";

describe("policyOf", () => {
  it.each<[string, Record<string, string> | undefined, string]>([
    ["no labels", undefined, "privileged:latest privileged:latest privileged:latest"],
    ["other labels", { a: "b" }, "privileged:latest privileged:latest privileged:latest"],
    [
      "enforce warns as well",
      { [`${P}enforce`]: "baseline", [`${P}enforce-version`]: "v1.25" },
      "baseline:v1.25 privileged:latest baseline:v1.25",
    ],
    [
      "warnings of another version",
      { [`${P}enforce`]: "baseline", [`${P}warn-version`]: "v1.30" },
      "baseline:latest privileged:latest baseline:v1.30",
    ],
    [
      "warnings turned off",
      { [`${P}enforce`]: "baseline", [`${P}warn`]: "privileged" },
      "baseline:latest privileged:latest privileged:latest",
    ],
    [
      "all three",
      { [`${P}enforce`]: "baseline", [`${P}audit`]: "restricted", [`${P}warn`]: "restricted" },
      "baseline:latest restricted:latest restricted:latest",
    ],
  ])("%s", (_title, labels, expected) => {
    const { policy, errors } = policyOf(labels);
    expect([policy.enforce, policy.audit, policy.warn].map(formatLevelVersion).join(" ")).toBe(expected);
    expect(errors).toEqual([]);
  });

  it("enforces most and warns of nothing when labels cannot be read, and says which", () => {
    const { policy, errors } = policyOf({
      [`${P}enforce`]: "strict",
      [`${P}warn`]: "loud",
      [`${P}audit-version`]: "1.2",
    });
    expect([policy.enforce, policy.audit, policy.warn].map(formatLevelVersion)).toEqual([
      "restricted:latest",
      "privileged:latest",
      "privileged:latest",
    ]);
    expect(errors.map(({ path, body }) => `${path}: ${body}`)).toEqual([
      `metadata.labels[${P}enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted`,
      `metadata.labels[${P}audit-version]: Invalid value: "1.2": must be "latest" or "v1.x"`,
      `metadata.labels[${P}warn]: Invalid value: "loud": must be one of privileged, baseline, restricted`,
    ]);
  });
});
