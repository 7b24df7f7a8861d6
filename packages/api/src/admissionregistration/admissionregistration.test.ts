import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { ValidatingWebhook } from "../generated/admissionregistration-v1.generated.ts";
import { mutatingAdmissionPolicies } from "./mutatingadmissionpolicy/index.ts";
import { validatingAdmissionPolicies } from "./validatingadmissionpolicy/index.ts";
import { validatingAdmissionPolicyBindings } from "./validatingadmissionpolicybinding/index.ts";
import { validatingWebhookConfigurations } from "./validatingwebhookconfiguration/index.ts";

const metadata = { name: "a" };

function judge(hook: Partial<ValidatingWebhook>): string {
  const configuration = {
    metadata,
    webhooks: [
      {
        name: "h.x.io",
        clientConfig: { url: "https://a/b" },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        ...hook,
      },
    ],
  };
  validatingWebhookConfigurations.defaults?.(configuration);
  const errors = validatingWebhookConfigurations.strategy.validate!(configuration);
  return errors.length === 0 ? "" : formatFieldErrors(errors);
}

describe("a webhook", () => {
  // Texts as observed on a v1.36 API server.
  it.each<[Partial<ValidatingWebhook>, string]>([
    [{}, ""],
    [
      { name: "short" },
      'webhooks[0].name: Invalid value: "short": should be a domain with at least three segments separated by dots',
    ],
    [
      { sideEffects: "Some" },
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [
      { admissionReviewVersions: ["v9"] },
      'webhooks[0].admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
    ],
    [
      { timeoutSeconds: 31 },
      "webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
    ],
    [
      { clientConfig: {} },
      "webhooks[0].clientConfig: Required value: exactly one of url or service is required",
    ],
    [
      { clientConfig: { url: "http://a" } },
      "webhooks[0].clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: https://host[/path]",
    ],
    [
      { clientConfig: { url: "https://u:p@h/x?q#f" } },
      '[webhooks[0].clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL, webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL, webhooks[0].clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL]',
    ],
    [
      { rules: [{ operations: ["X"], resources: ["*", "pods", "*/*", "a/b/c"] }] },
      '[webhooks[0].rules[0].operations[0]: Unsupported value: "X": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE", webhooks[0].rules[0].apiGroups: Required value, webhooks[0].rules[0].apiVersions: Required value, webhooks[0].rules[0].resources: Invalid value: ["*","pods","*/*","a/b/c"]: if \'*/*\' is present, must not specify other resources, webhooks[0].rules[0].resources: Invalid value: ["*","pods","*/*","a/b/c"]: if \'*\' is present, must not specify other resources without subresources]',
    ],
  ])("with %j is judged", (hook, expected) => {
    expect(judge(hook)).toBe(expected);
  });
});

describe("admission policies", () => {
  const matchConstraints = {
    resourceRules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
  };

  function validating(spec: object): string {
    const policy = { metadata, spec: structuredClone(spec) };
    validatingAdmissionPolicies.defaults?.(policy);
    return formatFieldErrors(validatingAdmissionPolicies.strategy.validate!(policy));
  }

  it("must decide something", () => {
    expect(validating({ matchConstraints })).toBe(
      "[spec.validations: Required value: validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item]",
    );
    expect(validating({ matchConstraints: {}, validations: [{ expression: "true" }] })).toBe(
      "spec.matchConstraints.resourceRules: Required value",
    );
    expect(
      validating({
        failurePolicy: "X",
        matchConstraints,
        validations: [{ expression: "true", reason: "Odd" }],
      }),
    ).toBe(
      '[spec.failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore", spec.validations[0].reason: Unsupported value: "Odd": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"]',
    );
  });

  it("that mutate must change something", () => {
    const policy = {
      metadata,
      spec: { matchConstraints: structuredClone(matchConstraints), reinvocationPolicy: "Never" },
    };
    mutatingAdmissionPolicies.defaults?.(policy);
    expect(formatFieldErrors(mutatingAdmissionPolicies.strategy.validate!(policy))).toBe(
      "spec.mutations: Required value: mutations must contain at least one item",
    );
  });

  it("are bound to actions", () => {
    const validate = validatingAdmissionPolicyBindings.strategy.validate!;
    expect(formatFieldErrors(validate({ metadata, spec: { policyName: "", validationActions: [] } }))).toBe(
      "[spec.policyName: Required value, spec.validationActions: Required value: at least one validation action is required]",
    );
    expect(
      formatFieldErrors(
        validate({ metadata, spec: { policyName: "p", validationActions: ["Warn", "Deny"] } }),
      ),
    ).toBe(
      'spec.validationActions: Invalid value: ["Warn","Deny"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    );
  });
});
