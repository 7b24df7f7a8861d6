import { type FieldError, forbiddenField, validateAnnotations, validateLabels } from "@binnacle/apimachinery";
import type { PersistentVolumeClaimTemplate } from "../../generated/core-v1.generated.ts";
import { validateClaimSpec } from "../persistentvolumeclaim/validation.ts";

/**
 * The claim that a generic ephemeral volume gets.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimTemplate.
 */
export function validateClaimTemplate(template: PersistentVolumeClaimTemplate, path: string): FieldError[] {
  const { annotations, labels, ...others } = template.metadata ?? {};
  const at = `${path}.metadata`;
  return [
    ...validateAnnotations(annotations, `${at}.annotations`),
    ...validateLabels(labels, `${at}.labels`),
    ...Object.keys(others).map((field) => forbiddenField(`${at}.${field}`, "cannot be set")),
    ...validateClaimSpec(template.spec ?? {}, `${path}.spec`),
  ];
}
