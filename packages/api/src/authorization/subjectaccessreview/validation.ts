import { type FieldError, goForm, invalid, type ObjectMeta } from "@binnacle/apimachinery";
import type {
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SubjectAccessReview,
} from "../../generated/authorization-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

interface Attributes {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

/** Source: kubernetes v1.36 pkg/apis/authorization/validation/validation.go, ValidateSubjectAccessReview. */
export function validateSubjectAccessReview({ metadata, spec }: SubjectAccessReview): FieldError[] {
  return [...validateAttributes(spec), ...validateWho(spec), ...validateEmptyMetadata(metadata)];
}

/** Source: validation.go, ValidateSelfSubjectAccessReview. */
export function validateSelfSubjectAccessReview({ metadata, spec }: SelfSubjectAccessReview): FieldError[] {
  return [...validateAttributes(spec), ...validateEmptyMetadata(metadata)];
}

/** Source: validation.go, ValidateLocalSubjectAccessReview. */
export function validateLocalSubjectAccessReview({ metadata, spec }: LocalSubjectAccessReview): FieldError[] {
  const errors = [...validateAttributes(spec), ...validateWho(spec)];
  if (!hasOnly(metadata, ["namespace", "managedFields"])) {
    errors.push(invalid("metadata", metadata, "must be empty except for namespace"));
  }
  const { resourceAttributes, nonResourceAttributes } = spec;
  const namespace = resourceAttributes?.namespace ?? "";
  if (resourceAttributes !== undefined && namespace !== (metadata.namespace ?? "")) {
    errors.push(invalid("spec.resourceAttributes.namespace", namespace, "must match metadata.namespace"));
  }
  if (nonResourceAttributes !== undefined) {
    const shown = shownAttributes(nonResourceAttributes);
    errors.push(invalid("spec.nonResourceAttributes", shown, "disallowed on this kind of request"));
  }
  return errors;
}

function validateAttributes({ resourceAttributes, nonResourceAttributes }: Attributes): FieldError[] {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const why = "cannot be specified in combination with resourceAttributes";
    return [invalid("spec.nonResourceAttributes", shownAttributes(nonResourceAttributes), why)];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return [invalid("spec.resourceAttributes", null, why)];
}

function validateWho({ user = "", groups = [] }: { user?: string; groups?: string[] }): FieldError[] {
  if (user !== "" || groups.length > 0) return [];
  return [invalid("spec.user", user, "at least one of user or group must be specified")];
}

function validateEmptyMetadata(metadata: ObjectMeta): FieldError[] {
  return hasOnly(metadata, ["managedFields"]) ? [] : [invalid("metadata", metadata, "must be empty")];
}

function hasOnly(metadata: ObjectMeta, allowed: readonly string[]): boolean {
  return Object.keys(metadata).every((field) => allowed.includes(field));
}

function shownAttributes(attributes: NonResourceAttributes): unknown {
  return goForm(builtinSchema("authorization.v1.NonResourceAttributes"), attributes);
}
