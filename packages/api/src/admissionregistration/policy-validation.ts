import {
  applyRule,
  dnsSubdomain,
  type FieldError,
  invalid,
  notSupported,
  pathSegment,
  required,
  validateLabelSelector,
} from "@binnacle/apimachinery";
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "../generated/admissionregistration-v1.generated.ts";
import { FAILURE_POLICIES, validateMatchConditions, validateMatchResources } from "./rule-validation.ts";

const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const ACTIONS = ["Audit", "Deny", "Warn"];
const MAX_AUDIT_ANNOTATIONS = 20;

/**
 * All that needs no compiler of expressions.
 *
 * Source: kubernetes v1.36 pkg/apis/admissionregistration/validation/validation.go, validateValidatingAdmissionPolicySpec.
 */
export function validateValidatingPolicy({ spec = {} }: ValidatingAdmissionPolicy): FieldError[] {
  const errors = validatePolicyHead(spec);
  const validations = spec.validations ?? [];
  const annotations = spec.auditAnnotations ?? [];
  if (validations.length === 0 && annotations.length === 0) {
    const why = "validations or auditAnnotations must contain at least one item";
    errors.push(required("spec.validations", why), required("spec.auditAnnotations", why));
  }
  for (const [i, { expression, message = "", messageExpression, reason }] of validations.entries()) {
    const path = `spec.validations[${i}]`;
    if (expression.trim() === "") errors.push(required(`${path}.expression`, "expression is not specified"));
    if (messageExpression !== undefined && messageExpression.trim() === "") {
      errors.push(invalid(`${path}.messageExpression`, messageExpression, "must be non-empty if specified"));
    }
    if (message !== "" && message.trim() === "") {
      errors.push(invalid(`${path}.message`, message, "message must be non-empty if specified"));
    } else if (message.includes("\n")) {
      errors.push(invalid(`${path}.message`, message, "message must not contain line breaks"));
    }
    if (reason !== undefined && !REASONS.includes(reason)) {
      errors.push(notSupported(`${path}.reason`, reason, REASONS));
    }
  }
  if (annotations.length > MAX_AUDIT_ANNOTATIONS) {
    const why = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`;
    errors.push(invalid("spec.auditAnnotations", annotations, why));
  }
  for (const [i, { key, valueExpression }] of annotations.entries()) {
    const path = `spec.auditAnnotations[${i}]`;
    if (key === "") errors.push(required(`${path}.key`));
    if (valueExpression.trim() === "") {
      errors.push(required(`${path}.valueExpression`, "valueExpression is not specified"));
    }
  }
  return errors;
}

/** Source: validation.go, validateMutatingAdmissionPolicySpec. */
export function validateMutatingPolicy({ spec = {} }: MutatingAdmissionPolicy): FieldError[] {
  const errors = validatePolicyHead(spec);
  const mutations = spec.mutations ?? [];
  if (mutations.length === 0)
    errors.push(required("spec.mutations", "mutations must contain at least one item"));
  for (const [i, { patchType, applyConfiguration, jsonPatch }] of mutations.entries()) {
    const path = `spec.mutations[${i}]`;
    if (patchType === "ApplyConfiguration") {
      if (applyConfiguration === undefined) {
        errors.push(
          required(`${path}.applyConfiguration`, "must be specified when patchType is ApplyConfiguration"),
        );
      } else if (!applyConfiguration.expression?.trim()) {
        errors.push(required(`${path}.applyConfiguration.expression`, "expression is not specified"));
      }
    } else if (patchType === "JSONPatch") {
      if (jsonPatch === undefined) {
        errors.push(required(`${path}.jsonPatch`, "must be specified when patchType is JSONPatch"));
      } else if (!jsonPatch.expression?.trim()) {
        errors.push(required(`${path}.jsonPatch.expression`, "expression is not specified"));
      }
    } else {
      errors.push(notSupported(`${path}.patchType`, patchType, ["ApplyConfiguration", "JSONPatch"]));
    }
  }
  const policies = ["IfNeeded", "Never"];
  if (!spec.reinvocationPolicy) errors.push(required("spec.reinvocationPolicy"));
  else if (!policies.includes(spec.reinvocationPolicy)) {
    errors.push(notSupported("spec.reinvocationPolicy", spec.reinvocationPolicy, policies));
  }
  return errors;
}

type PolicySpec = Pick<
  NonNullable<ValidatingAdmissionPolicy["spec"]>,
  "failurePolicy" | "paramKind" | "matchConstraints" | "matchConditions" | "variables"
>;

function validatePolicyHead(spec: PolicySpec): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.failurePolicy === undefined) errors.push(required("spec.failurePolicy"));
  else if (!FAILURE_POLICIES.includes(spec.failurePolicy)) {
    errors.push(notSupported("spec.failurePolicy", spec.failurePolicy, FAILURE_POLICIES));
  }
  if (spec.paramKind !== undefined) errors.push(...validateParamKind(spec.paramKind));
  if (spec.matchConstraints === undefined) errors.push(required("spec.matchConstraints"));
  else {
    errors.push(...validateMatchResources(spec.matchConstraints, "spec.matchConstraints"));
    // Without a rule nothing is known of the type of `object`.
    if ((spec.matchConstraints.resourceRules ?? []).length === 0) {
      errors.push(required("spec.matchConstraints.resourceRules"));
    }
  }
  errors.push(...validateMatchConditions(spec.matchConditions ?? [], "spec.matchConditions"));
  for (const [i, { name, expression }] of (spec.variables ?? []).entries()) {
    const path = `spec.variables[${i}]`;
    if (name.trim() === "") errors.push(required(`${path}.name`, "name is not specified"));
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name)) {
      errors.push(invalid(`${path}.name`, name, "name is not a valid CEL identifier"));
    }
    if (expression.trim() === "") errors.push(required(`${path}.expression`, "expression is not specified"));
  }
  return errors;
}

function validateParamKind({ apiVersion = "", kind = "" }: ParamKind): FieldError[] {
  const path = "spec.paramKind";
  const errors: FieldError[] = [];
  if (apiVersion === "") errors.push(required(`${path}.apiVersion`));
  else if (apiVersion.split("/").length > 2) {
    errors.push(invalid(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  }
  if (kind === "") errors.push(required(`${path}.kind`));
  return errors;
}

/** Source: validation.go, validateValidatingAdmissionPolicyBindingSpec. */
export function validateValidatingBinding({ spec }: ValidatingAdmissionPolicyBinding): FieldError[] {
  const errors = validateBindingHead(spec);
  const actions = spec.validationActions ?? [];
  const path = "spec.validationActions";
  if (actions.length === 0) errors.push(required(path, "at least one validation action is required"));
  for (const [i, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) errors.push(notSupported(`${path}[${i}]`, action, ACTIONS));
    if (actions.indexOf(action) < i) errors.push(invalid(path, actions, "must not contain repeated actions"));
  }
  if (actions.includes("Deny") && actions.includes("Warn")) {
    const why =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(invalid(path, actions, why));
  }
  return errors;
}

/** Source: validation.go, validateMutatingAdmissionPolicyBindingSpec. */
export function validateMutatingBinding({ spec = {} }: MutatingAdmissionPolicyBinding): FieldError[] {
  return validateBindingHead(spec);
}

interface BindingHead {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
}

function validateBindingHead({ policyName = "", paramRef, matchResources }: BindingHead): FieldError[] {
  const errors =
    policyName === ""
      ? [required("spec.policyName")]
      : applyRule(dnsSubdomain, policyName, "spec.policyName");
  if (paramRef !== undefined) {
    const path = "spec.paramRef";
    const { name = "", selector, parameterNotFoundAction } = paramRef;
    if (name !== "" && selector !== undefined) {
      errors.push({
        type: "FieldValueForbidden",
        path: `${path}.name`,
        body: "Forbidden: name and selector are mutually exclusive",
      });
    } else if (name === "" && selector === undefined) {
      errors.push(required(path, "one of name or selector must be specified"));
    }
    if (name !== "") errors.push(...applyRule(pathSegment, name, `${path}.name`));
    errors.push(...validateLabelSelector(selector, `${path}.selector`));
    if (parameterNotFoundAction === undefined) errors.push(required(`${path}.parameterNotFoundAction`));
    else if (parameterNotFoundAction !== "Allow" && parameterNotFoundAction !== "Deny") {
      errors.push(
        notSupported(`${path}.parameterNotFoundAction`, parameterNotFoundAction, ["Deny", "Allow"]),
      );
    }
  }
  if (matchResources !== undefined)
    errors.push(...validateMatchResources(matchResources, "spec.matchResources"));
  return errors;
}
