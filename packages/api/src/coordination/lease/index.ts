import {
  type FieldError,
  invalid,
  type ResourceDefinition,
  validateNonNegative,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { Lease } from "../../generated/coordination-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Who holds something, and until when: leader election and node heartbeats. */
export const leases: ResourceDefinition<Lease> = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  resource: "leases",
  singular: "lease",
  listKind: "LeaseList",
  namespaced: true,
  schema: builtinSchema("coordination.v1.Lease"),
  strategy: { allowCreateOnUpdate: true, allowUnconditionalUpdate: false, validate: validateLease },
  columns: columnsFor<Lease>("leases", [
    nameColumn,
    text("Holder", ({ spec }) => spec?.holderIdentity ?? ""),
    ageColumn,
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/coordination/validation/validation.go, ValidateLeaseSpec. */
export function validateLease({ spec = {} }: Lease): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.leaseDurationSeconds !== undefined && spec.leaseDurationSeconds <= 0) {
    errors.push(invalid("spec.leaseDurationSeconds", spec.leaseDurationSeconds, "must be greater than 0"));
  }
  errors.push(...validateNonNegative(spec.leaseTransitions, "spec.leaseTransitions"));
  if (spec.strategy !== undefined && !/^[A-Za-z0-9./-]+$/.test(spec.strategy)) {
    errors.push(invalid("spec.strategy", spec.strategy, "must be a valid strategy"));
  }
  return errors;
}
