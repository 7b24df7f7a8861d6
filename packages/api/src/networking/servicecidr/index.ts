import {
  type FieldError,
  invalid,
  parseCidr,
  type ResourceDefinition,
  required,
  validateCidr,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { ServiceCIDR } from "../../generated/networking-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** A range that services get their addresses from. */
export const serviceCidrs: ResourceDefinition<ServiceCIDR> = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "ServiceCIDR",
  resource: "servicecidrs",
  singular: "servicecidr",
  listKind: "ServiceCIDRList",
  namespaced: false,
  schema: builtinSchema("networking.v1.ServiceCIDR"),
  strategy: {
    prepareForCreate: (range) => {
      range.status = {};
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validateServiceCidr,
    validateUpdate: validateServiceCidrUpdate,
  },
  status: {},
  columns: columnsFor<ServiceCIDR>("servicecidrs", [
    nameColumn,
    text("CIDRs", ({ spec }) => (spec?.cidrs ?? []).join(",")),
    ageColumn,
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateServiceCIDR. */
function validateServiceCidr({ spec }: ServiceCIDR): FieldError[] {
  const cidrs = spec?.cidrs ?? [];
  if (cidrs.length === 0) return [required("spec.cidrs", "at least one CIDR required")];
  if (cidrs.length > 2) return [invalid("spec", spec, "may only hold up to 2 values")];
  const errors = cidrs.flatMap((cidr, i) => validateCidr(`spec.cidrs[${i}]`, cidr));
  const families = cidrs.map((cidr) => parseCidr(cidr)?.address.family);
  if (cidrs.length === 2 && families[0] === families[1]) {
    const why = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
    errors.push(invalid("spec", spec, why));
  }
  return errors;
}

/** A second family may be added. Source: validation.go, ValidateServiceCIDRUpdate. */
function validateServiceCidrUpdate(updated: ServiceCIDR, old: ServiceCIDR): FieldError[] {
  const after = updated.spec?.cidrs ?? [];
  const before = old.spec?.cidrs ?? [];
  const isKept = before.every((cidr, i) => after[i] === cidr);
  if (isKept && after.length === before.length) return [];
  if (!isKept || after.length < before.length) {
    return [invalid("spec.cidrs", after, "field is immutable")];
  }
  return validateServiceCidr(updated);
}
