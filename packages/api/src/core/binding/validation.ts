import { type FieldError, notSupported, required } from "@binnacle/apimachinery";
import type { Binding } from "../../generated/core-v1.generated.ts";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodBinding. */
export function validateBindingTarget({ target }: Binding): FieldError[] {
  const errors: FieldError[] = [];
  const kind = target.kind ?? "";
  if (kind !== "" && kind !== "Node") errors.push(notSupported("target.kind", kind, ["Node", "<empty>"]));
  if (!target.name) errors.push(required("target.name"));
  return errors;
}
