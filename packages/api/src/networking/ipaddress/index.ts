import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  formatIp,
  invalid,
  parseIp,
  pathSegment,
  type ResourceDefinition,
  required,
  validateImmutable,
} from "@binnacle/apimachinery";
import { columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { IPAddress } from "../../generated/networking-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** That an address of the service ranges is taken, and by what. */
export const ipAddresses: ResourceDefinition<IPAddress> = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "IPAddress",
  resource: "ipaddresses",
  singular: "ipaddress",
  listKind: "IPAddressList",
  namespaced: false,
  shortNames: ["ip"],
  schema: builtinSchema("networking.v1.IPAddress"),
  strategy: {
    nameFormat: canonicalAddress,
    validate: validateIpAddress,
    validateUpdate: (updated, old) =>
      validateImmutable(updated.spec.parentRef, old.spec.parentRef, "spec.parentRef"),
  },
  columns: columnsFor<IPAddress>("ipaddresses", [
    nameColumn,
    text("ParentRef", ({ spec }) => {
      const { group, resource, namespace, name } = spec.parentRef;
      return [`${resource}${group ? `.${group}` : ""}`, ...(namespace ? [namespace] : []), name].join("/");
    }),
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateIPAddressName. */
function canonicalAddress(name: string): string[] {
  const address = parseIp(name);
  if (address === undefined) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  return formatIp(address) === name ? [] : ["must be a valid IP address in canonical form"];
}

/** Source: validation.go, ValidateIPAddress. */
function validateIpAddress({ spec }: IPAddress): FieldError[] {
  // A client that names no parent sends none at all.
  const parent = spec.parentRef as IPAddress["spec"]["parentRef"] | null | undefined;
  if (parent === undefined || parent === null) return [required("spec.parentRef")];
  const path = "spec.parentRef";
  const errors: FieldError[] = [];
  if (parent.group) errors.push(...applyRule(dnsSubdomain, parent.group, `${path}.group`));
  if (parent.resource === "") errors.push(required(`${path}.resource`));
  else errors.push(...applyRule(pathSegment, parent.resource, `${path}.resource`));
  if (parent.name === "") errors.push(required(`${path}.name`));
  else
    errors.push(...pathSegment(parent.name).map((problem) => invalid(`${path}.name`, parent.name, problem)));
  if (parent.namespace) errors.push(...applyRule(dnsLabel, parent.namespace, `${path}.namespace`));
  return errors;
}
