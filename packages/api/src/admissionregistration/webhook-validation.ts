import {
  dnsSubdomain,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import type { MutatingWebhook, ValidatingWebhook } from "../generated/admissionregistration-v1.generated.ts";
import {
  FAILURE_POLICIES,
  MATCH_POLICIES,
  validateMatchConditions,
  validateRule,
} from "./rule-validation.ts";
import { validateReviewVersions, validateWebhookClient } from "./webhook-client.ts";

const SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const REINVOCATION_POLICIES = ["IfNeeded", "Never"];
const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 30;

/** What both kinds of webhooks have. */
type AnyWebhook = ValidatingWebhook & { reinvocationPolicy?: string };

/** Source: kubernetes v1.36 pkg/apis/admissionregistration/v1/defaults.go. */
export function setWebhookDefaults(
  hooks: readonly (ValidatingWebhook | MutatingWebhook)[] | undefined,
): void {
  for (const hook of hooks ?? []) {
    hook.failurePolicy ??= "Fail";
    hook.matchPolicy ??= "Equivalent";
    hook.namespaceSelector ??= {};
    hook.objectSelector ??= {};
    hook.timeoutSeconds ??= DEFAULT_TIMEOUT_SECONDS;
    for (const rule of hook.rules ?? []) rule.scope ??= "*";
    const { service } = hook.clientConfig;
    if (service !== undefined) service.port ??= 443;
  }
}

/** Source: kubernetes v1.36 pkg/apis/admissionregistration/validation/validation.go, validateValidatingWebhook. */
export function validateWebhooks(
  hooks: readonly AnyWebhook[],
  rules: { readonly isMutating: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, hook] of hooks.entries()) {
    const path = `webhooks[${i}]`;
    errors.push(...validateWebhook(hook, path));
    if (rules.isMutating && hook.reinvocationPolicy !== undefined) {
      if (!REINVOCATION_POLICIES.includes(hook.reinvocationPolicy)) {
        errors.push(
          notSupported(`${path}.reinvocationPolicy`, hook.reinvocationPolicy, REINVOCATION_POLICIES),
        );
      }
    }
    errors.push(
      ...validateReviewVersions(hook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`),
    );
    if (names.has(hook.name)) errors.push(duplicate(`${path}.name`, hook.name));
    names.add(hook.name);
  }
  return errors;
}

function validateWebhook(hook: AnyWebhook, path: string): FieldError[] {
  const errors = validateQualifiedDomain(hook.name, `${path}.name`);
  for (const [i, rule] of (hook.rules ?? []).entries())
    errors.push(...validateRule(rule, `${path}.rules[${i}]`));
  if (hook.failurePolicy !== undefined && !FAILURE_POLICIES.includes(hook.failurePolicy)) {
    errors.push(notSupported(`${path}.failurePolicy`, hook.failurePolicy, FAILURE_POLICIES));
  }
  if (hook.matchPolicy !== undefined && !MATCH_POLICIES.includes(hook.matchPolicy)) {
    errors.push(notSupported(`${path}.matchPolicy`, hook.matchPolicy, MATCH_POLICIES));
  }
  // The type says it is there; a client may leave it out all the same.
  const sideEffects = hook.sideEffects as string | null | undefined;
  if (sideEffects === undefined || sideEffects === null) {
    errors.push(required(`${path}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(", ")}`));
  } else if (!SIDE_EFFECTS.includes(sideEffects)) {
    errors.push(notSupported(`${path}.sideEffects`, sideEffects, SIDE_EFFECTS));
  }
  const timeout = hook.timeoutSeconds;
  if (timeout !== undefined && (timeout < 1 || timeout > MAX_TIMEOUT_SECONDS)) {
    const why = `the timeout value must be between 1 and ${MAX_TIMEOUT_SECONDS} seconds`;
    errors.push(invalid(`${path}.timeoutSeconds`, timeout, why));
  }
  errors.push(
    ...validateLabelSelector(hook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(hook.objectSelector, `${path}.objectSelector`),
    ...validateWebhookClient(hook.clientConfig, `${path}.clientConfig`),
    ...validateMatchConditions(hook.matchConditions ?? [], `${path}.matchConditions`),
  );
  return errors;
}

/** Source: kubernetes v1.36 apimachinery/pkg/util/validation/validation.go, IsFullyQualifiedName. */
function validateQualifiedDomain(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  const problems = dnsSubdomain(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(","))];
  if (name.split(".").length >= 3) return [];
  return [invalid(path, name, "should be a domain with at least three segments separated by dots")];
}
