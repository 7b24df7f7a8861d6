import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  invalid,
  quantitySign,
  required,
} from "@binnacle/apimachinery";
import type {
  PodExtendedResourceClaimStatus,
  PodSpec,
  PodStatus,
} from "../../generated/core-v1.generated.ts";

/** What the status of a pod says of its resource claims. Source: kubernetes v1.36 pkg/apis/core/validation/validation.go. */
export function validateClaimStatuses(status: PodStatus, spec: PodSpec): FieldError[] {
  return [
    ...validateNames(status, spec),
    ...validateExtended(status.extendedResourceClaimStatus, spec, "status.extendedResourceClaimStatus"),
    ...validateAllocatable(status, spec),
  ];
}

/** Source: validation.go, validatePodResourceClaimStatuses. */
function validateNames({ resourceClaimStatuses = [] }: PodStatus, spec: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name = "", resourceClaimName }] of resourceClaimStatuses.entries()) {
    const at = `status.resourceClaimStatuses[${i}]`;
    if (!spec.resourceClaims?.some((claim) => claim.name === name)) {
      errors.push(invalid(`${at}.name`, name, "must match the name of an entry in `spec.resourceClaims`"));
    }
    if (seen.has(name)) errors.push(duplicate(`${at}.name`, name));
    seen.add(name);
    if (resourceClaimName !== undefined) {
      errors.push(...applyRule(dnsSubdomain, resourceClaimName, `${at}.resourceClaimName`));
    }
  }
  return errors;
}

/** Source: validation.go, validatePodExtendedResourceClaimStatus. */
function validateExtended(
  status: PodExtendedResourceClaimStatus | undefined,
  spec: PodSpec,
  path: string,
): FieldError[] {
  if (status === undefined) return [];
  const { resourceClaimName } = status;
  const requestMappings = status.requestMappings ?? []; // Decoding writes an empty list as null.
  const errors: FieldError[] = [];
  if (requestMappings.length === 0) {
    errors.push(required(`${path}.requestMappings`, "at least one request mapping is required"));
  }
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const seen = new Set<string>();
  for (const [i, { containerName, resourceName, requestName }] of requestMappings.entries()) {
    const at = `${path}.requestMappings[${i}]`;
    const container = containers.findLast(({ name }) => name === containerName);
    if (container === undefined) {
      const why = "must match the name of an entry in spec.initContainers.name or spec.containers.name";
      errors.push(invalid(`${at}.containerName`, containerName, why));
    } else if (!Object.hasOwn(container.resources?.requests ?? {}, resourceName)) {
      const why =
        "must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests";
      errors.push(invalid(`${at}.resourceName`, resourceName, why));
    }
    errors.push(...applyRule(dnsLabel, requestName, `${path}.requestName`));
    const key = `${containerName}/${resourceName}/${requestName}`;
    if (seen.has(key)) {
      errors.push(
        duplicate(`${at}.containerName`, containerName),
        duplicate(`${at}.resourceName`, resourceName),
        duplicate(`${at}.requestName`, requestName),
      );
    }
    seen.add(key);
  }
  const at = `${path}.resourceClaimName`;
  if (!resourceClaimName) errors.push(required(at));
  else errors.push(...applyRule(dnsSubdomain, resourceClaimName, at));
  return errors;
}

/** Source: validation.go, validateNodeAllocatableResourceClaimStatus. */
function validateAllocatable(status: PodStatus, spec: PodSpec): FieldError[] {
  const known = new Set(
    [...(spec.resourceClaims ?? []), ...(status.resourceClaimStatuses ?? [])].map(
      ({ resourceClaimName }) => resourceClaimName,
    ),
  );
  return (status.nodeAllocatableResourceClaimStatuses ?? []).flatMap((claim, i) => {
    const at = `status.nodeAllocatableResourceClaimStatuses[${i}]`;
    const { resourceClaimName = "", containers } = claim;
    const resources = claim.resources ?? {}; // Decoding writes an empty map as null.
    const errors: FieldError[] = [];
    if (resourceClaimName === "") errors.push(required(`${at}.resourceClaimName`, "must not be empty"));
    if (!known.has(resourceClaimName)) {
      const why = "no mapping found in pod reference";
      errors.push(invalid(`${at}.resourceClaimName`, resourceClaimName, why));
    }
    if (!containers?.length) errors.push(required(`${at}.containers`, "must not be empty"));
    if (Object.keys(resources).length === 0) errors.push(required(`${at}.resources`, "must not be empty"));
    for (const [name, amount] of Object.entries(resources)) {
      const where = `${at}.resources[${name}]`;
      if (name.includes("/") && !name.includes("kubernetes.io/")) {
        errors.push(invalid(where, name, "must be a node allocatable resource name"));
      }
      if (quantitySign(amount) < 0) errors.push(invalid(where, amount, "must be non-negative"));
    }
    return errors;
  });
}
