import { mutate as runMutatingAdmission } from "../admission/admission.ts";
import { admissionAttributes, type WriteContext } from "./write-context.ts";

/** Mutating admission. */
export function mutate(write: WriteContext): Promise<void> | void {
  if (write.core.admission.length === 0) return;
  return runMutatingAdmission(write.core, admissionAttributes(write));
}
