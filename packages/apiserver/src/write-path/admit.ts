import { validate as runValidatingAdmission } from "../admission/admission.ts";
import { admissionAttributes, type WriteContext } from "./write-context.ts";

/** Validating admission. */
export function admit(write: WriteContext): Promise<void> | void {
  if (write.core.admission.length === 0) return;
  return runValidatingAdmission(write.core, admissionAttributes(write));
}
