import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  parseIp,
  required,
  validateLegacyIp,
} from "@binnacle/apimachinery";
import type { Service } from "../../generated/core-v1.generated.ts";
import { isHeadless } from "./service-kind.ts";

const FAMILIES = ["IPv4", "IPv6"];
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateServiceClusterIPsRelatedFields. */
export function validateClusterIps(service: Service): FieldError[] {
  const { spec = {} } = service;
  if (spec.type === "ExternalName") return [];
  const errors: FieldError[] = [];
  const addresses = spec.clusterIPs ?? [];
  if (spec.clusterIP) {
    if (addresses.length === 0) errors.push(required("spec.clusterIPs"));
    else if (addresses[0] !== spec.clusterIP) {
      errors.push(invalid("spec.clusterIPs", addresses, "first value must match `clusterIP`"));
    }
  } else if (addresses.length > 0) {
    errors.push(invalid("spec.clusterIPs", addresses, "must be empty when `clusterIP` is not specified"));
  }
  const families = spec.ipFamilies ?? [];
  for (const [i, family] of families.entries()) {
    if (!FAMILIES.includes(family)) errors.push(notSupported(`spec.ipFamilies[${i}]`, family, FAMILIES));
    if (families.indexOf(family) < i) errors.push(duplicate(`spec.ipFamilies[${i}]`, family));
  }
  if (spec.ipFamilyPolicy !== undefined && !POLICIES.includes(spec.ipFamilyPolicy)) {
    errors.push(notSupported("spec.ipFamilyPolicy", spec.ipFamilyPolicy, POLICIES));
  }
  const wrong = addresses.flatMap((address, i) => validateAddress(addresses, address, i));
  errors.push(...wrong);
  if (addresses.length > 2)
    errors.push(invalid("spec.clusterIPs", addresses, "may only hold up to 2 values"));
  if (wrong.length > 0) return errors;
  const actual = addresses.map((address) => (parseIp(address)?.family === 6 ? "IPv6" : "IPv4"));
  if (addresses.length > 1 && new Set(actual).size < 2) {
    errors.push(invalid("spec.clusterIPs", addresses, "may specify no more than one IP for each IP family"));
  }
  if (isHeadless(service)) return errors;
  for (const [i, address] of addresses.entries()) {
    const family = families[i];
    if (family === undefined) break;
    if (family !== actual[i] && FAMILIES.includes(family)) {
      const why = `expected an ${family} value as indicated by \`ipFamilies[${i}]\``;
      errors.push(invalid(`spec.clusterIPs[${i}]`, address, why));
    }
  }
  return errors;
}

function validateAddress(addresses: readonly string[], address: string, i: number): FieldError[] {
  if (i > 0 || address !== "None") return validateLegacyIp(`spec.clusterIPs[${i}]`, address);
  if (addresses.length === 1) return [];
  return [invalid("spec.clusterIPs", addresses, "'None' must be the first and only value")];
}

/** ExternalName services have no address. */
export function forbidClusterIps(service: Service): FieldError[] {
  const { spec = {} } = service;
  const why = "may not be set for ExternalName services";
  const errors: FieldError[] = [];
  if ((spec.clusterIPs ?? []).length > 0) errors.push(forbiddenField("spec.clusterIPs", why));
  if ((spec.ipFamilies ?? []).length > 0) errors.push(forbiddenField("spec.ipFamilies", why));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbiddenField("spec.ipFamilyPolicy", why));
  return errors;
}

/**
 * Addresses and families may be added and taken away, but not change.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateUpgradeDowngradeClusterIPs and
 * validateUpgradeDowngradeIPFamilies.
 */
export function validateClusterIpsUpdate(updated: Service, old: Service): FieldError[] {
  if (updated.spec?.type === "ExternalName" || old.spec?.type === "ExternalName") return [];
  const areHeadless = isHeadless(updated) && isHeadless(old);
  return [
    ...(areHeadless ? [] : validateListUpdate(updated, old, "clusterIPs", "clusterIP")),
    ...(isHeadless(updated) ? [] : validateListUpdate(updated, old, "ipFamilies", "ipFamily")),
  ];
}

function validateListUpdate(
  updated: Service,
  old: Service,
  field: "clusterIPs" | "ipFamilies",
  what: string,
): FieldError[] {
  const now = updated.spec?.[field] ?? [];
  const before = old.spec?.[field] ?? [];
  const changed = (i: number): FieldError => invalid(`spec.${field}[${i}]`, now, "may not change once set");
  if (now.length === before.length) {
    return before.flatMap((value, i) => (value === now[i] ? [] : [changed(i)]));
  }
  const errors: FieldError[] = [];
  if (now.length === 0) errors.push(invalid(`spec.${field}[0]`, now, `primary ${what} can not be unset`));
  if (before.length > 0 && now.length > 0 && now[0] !== before[0]) errors.push(changed(0));
  if (before.length > now.length && now.length === 1 && updated.spec?.ipFamilyPolicy !== "SingleStack") {
    const why = `must be set to 'SingleStack' when releasing the secondary ${what}`;
    errors.push(invalid("spec.ipFamilyPolicy", updated.spec?.ipFamilyPolicy, why));
  }
  return errors;
}
