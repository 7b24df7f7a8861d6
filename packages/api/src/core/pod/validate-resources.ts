import {
  applyRule,
  compareQuantities,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notFoundValue,
  notSupported,
  type ObjectMeta,
  parseQuantity,
  qualifiedName,
  quantityToInteger,
  required,
} from "@binnacle/apimachinery";
import type {
  ContainerResizePolicy,
  PodResourceClaim,
  PodSpec,
  ResourceClaim,
  ResourceRequirements,
} from "../../generated/core-v1.generated.ts";
import { validateResourceAmount } from "../node/validation.ts";
import { aggregateContainers, isHugePage, isPodLevelResource } from "./pod-resources.ts";

/** Everything without a domain that exists at all, not only for containers. Source: pkg/apis/core/helper/helpers.go. */
const STANDARD_RESOURCES: ReadonlySet<string> = new Set([
  ...["cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.ephemeral-storage"],
  ...["limits.cpu", "limits.memory", "limits.ephemeral-storage", "pods", "resourcequotas", "services"],
  ...["replicationcontrollers", "secrets", "configmaps", "persistentvolumeclaims", "storage"],
  ...["requests.storage", "services.nodeports", "services.loadbalancers"],
]);

const CONTAINER_RESOURCES: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Whether the resource is one of Kubernetes' own. */
function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Whether requests may be less than limits. Source: kubernetes v1.36 pkg/apis/core/helper/helpers.go. */
function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePage(name);
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResourceName. */
function validateResourceName(name: string, path: string): FieldError[] {
  const errors = applyRule(qualifiedName, name, path);
  if (errors.length > 0 || name.includes("/") || STANDARD_RESOURCES.has(name) || isHugePage(name))
    return errors;
  return [invalid(path, name, "must be a standard resource type or fully qualified")];
}

/** Source: validation.go, validateContainerResourceName. */
function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes("/")) {
    if (!CONTAINER_RESOURCES.has(name) && !isHugePage(name)) {
      errors.push(invalid(path, name, "must be a standard resource for containers"));
    }
  } else if (!isNative(name) && !isExtendedName(name)) {
    errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

/** Quotas put `requests.` before the name, so it must still be one then. */
function isExtendedName(name: string): boolean {
  return !name.startsWith("requests.") && qualifiedName(`requests.${name}`).length === 0;
}

function validatePodResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notSupported(path, name, ["cpu", "hugepages-", "memory"])];
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateContainerResourceRequirements. */
export function validateResources(
  requirements: ResourceRequirements | undefined,
  claimNames: ReadonlySet<string>,
  path: string,
): FieldError[] {
  if (requirements === undefined) return [];
  return validateRequirements(requirements, validateContainerResourceName, claimNames, path);
}

function validateRequirements(
  { limits = {}, requests = {}, claims = [] }: ResourceRequirements,
  validateName: (name: string, path: string) => FieldError[],
  claimNames: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  for (const [name, amount] of Object.entries(limits)) {
    const at = `${path}.limits[${name}]`;
    errors.push(...validateName(name, at), ...validateResourceAmount(name, amount, at));
    errors.push(...validateHugePages(name, amount, at));
  }
  for (const [name, amount] of Object.entries(requests)) {
    const at = `${path}.requests[${name}]`;
    errors.push(...validateName(name, at), ...validateResourceAmount(name, amount, at));
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (limit !== undefined) {
      const order = compareQuantities(amount, limit);
      if (order !== 0 && !isOvercommitAllowed(name)) {
        errors.push(invalid(`${path}.requests`, amount, `must be equal to ${name} limit of ${limit}`));
      } else if (order > 0) {
        const why = `must be less than or equal to ${name} limit of ${limit}`;
        errors.push(invalid(`${path}.requests`, amount, why));
      }
    } else if (!isOvercommitAllowed(name)) {
      errors.push(required(`${path}.limits`, "Limit must be set for non overcommitable resources"));
    }
    errors.push(...validateHugePages(name, amount, at));
  }
  if (names.some(isHugePage) && !names.some((name) => name === "cpu" || name === "memory")) {
    errors.push(forbiddenField(path, "HugePages require cpu or memory"));
  }
  errors.push(...validateClaimReferences(claims, claimNames, `${path}.claims`));
  return errors;
}

function validateHugePages(name: string, amount: string, path: string): FieldError[] {
  if (!isHugePage(name)) return [];
  const size = pageSize(name);
  const value = quantityToInteger(amount);
  if (size !== undefined && value > 0n && value % size === 0n) return [];
  return [invalid(path, amount, `${amount} is not positive integer multiple of ${name}`)];
}

function pageSize(name: string): bigint | undefined {
  const text = name.slice("hugepages-".length);
  if (!/^\d+[kMGTPE]?i?$/.test(text)) return undefined;
  const size = quantityToInteger(parseQuantity(text));
  return size > 0n ? size : undefined;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResourceClaimNames. */
function validateClaimReferences(
  claims: readonly ResourceClaim[],
  claimNames: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name = "", request }] of claims.entries()) {
    const at = `${path}[${i}]`;
    if (name === "") {
      errors.push(required(at));
      continue;
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      if (request) errors.push(...applyRule(dnsLabel, request, `${at}.request`));
      const key = request ? `${name}/${request}` : name;
      if (seen.has(key)) errors.push(duplicate(at, key));
      else if (!request) {
        for (const other of seen) if (other.startsWith(`${name}/`)) errors.push(duplicate(at, name));
      }
      seen.add(key);
    }
    if (claimNames.has(name)) continue;
    const known = claimNames.size === 0 ? " which is empty" : `: ${[...claimNames].sort().join(", ")}`;
    const error = notFoundValue(at, name);
    const why = `must be one of the names in pod.spec.resourceClaims${known}`;
    errors.push({ ...error, body: `${error.body}: ${why}` });
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateOverhead. */
export function validateOverhead(overhead: Record<string, string> | undefined, path: string): FieldError[] {
  return overhead === undefined ? [] : validateResources({ limits: overhead }, new Set(), path);
}

/** The names of the claims of a pod. */
export function claimNamesOf(spec: PodSpec): ReadonlySet<string> {
  return new Set((spec.resourceClaims ?? []).flatMap(({ name }) => (name ? [name] : [])));
}

const MIRROR_POD = "kubernetes.io/config.mirror";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodResourceClaims. */
export function validatePodClaims(
  claims: readonly PodResourceClaim[],
  metadata: ObjectMeta | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, claim] of claims.entries()) {
    if (Object.hasOwn(metadata?.annotations ?? {}, MIRROR_POD)) {
      errors.push(forbiddenField("", "static pods do not support resource claims"));
      continue;
    }
    const at = `${path}[${i}]`;
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    if (!name) errors.push(required(`${at}.name`));
    else if (seen.has(name)) errors.push(duplicate(`${at}.name`, name));
    else {
      errors.push(...applyRule(dnsLabel, name, `${at}.name`));
      seen.add(name);
    }
    const shown = {
      Name: name ?? "",
      ResourceClaimName: resourceClaimName ?? null,
      ResourceClaimTemplateName: resourceClaimTemplateName ?? null,
    };
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      const why = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
      errors.push(invalid(at, shown, why));
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      const why = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
      errors.push(invalid(at, shown, why));
    }
    for (const [field, value] of Object.entries({ resourceClaimName, resourceClaimTemplateName })) {
      if (value !== undefined) errors.push(...applyRule(dnsSubdomain, value, `${at}.${field}`));
    }
  }
  return errors;
}

const RESIZE_RESOURCES: readonly string[] = ["cpu", "memory"];
const RESIZE_POLICIES: readonly string[] = ["NotRequired", "RestartContainer"];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateResizePolicy. */
export function validateResizePolicy(
  policies: readonly ContainerResizePolicy[] | undefined,
  podRestartPolicy: string | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { resourceName = "", restartPolicy = "" }] of (policies ?? []).entries()) {
    if (seen.has(resourceName)) errors.push(duplicate(`${path}[${i}]`, resourceName));
    seen.add(resourceName);
    if (resourceName === "") errors.push(required(path));
    else if (!RESIZE_RESOURCES.includes(resourceName)) {
      errors.push(notSupported(path, resourceName, RESIZE_RESOURCES));
    }
    if (restartPolicy === "") errors.push(required(path));
    else if (!RESIZE_POLICIES.includes(restartPolicy)) {
      errors.push(notSupported(path, restartPolicy, RESIZE_POLICIES));
    }
    if (podRestartPolicy === "Never" && restartPolicy !== "NotRequired") {
      const why = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      errors.push(invalid(path, restartPolicy, why));
    }
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodResources. */
export function validatePodResources(spec: PodSpec, path: string): FieldError[] {
  const { resources } = spec;
  if (resources === undefined) return [];
  const at = `${path}.resources`;
  if (spec.os?.name === "windows") return [forbiddenField(at, "may not be set for a windows pod")];
  const errors: FieldError[] = [];
  if (resources.claims !== undefined) {
    errors.push(forbiddenField(`${at}.claims`, "claims may not be set for Resources at pod-level"));
  }
  errors.push(...validateRequirements(resources, validatePodResourceName, claimNamesOf(spec), at));
  const { requests = {}, limits = {} } = resources;
  for (const [name, sum] of Object.entries(aggregateContainers(spec, "requests"))) {
    const given = Object.hasOwn(requests, name) ? requests[name] : undefined;
    if (given === undefined || compareQuantities(sum, given) <= 0) continue;
    const why = `must be greater than or equal to aggregate container requests of ${sum}`;
    errors.push(invalid(`${at}.requests[${name}]`, given, why));
  }
  for (const [name, sum] of Object.entries(aggregateContainers(spec, "limits"))) {
    const given = isHugePage(name) && Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (given === undefined || compareQuantities(sum, given) <= 0) continue;
    const why = `must be greater than or equal to aggregate container limits of ${sum}`;
    errors.push(invalid(`${at}.limits[${name}]`, given, why));
  }
  for (const [i, container] of (spec.containers ?? []).entries()) {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const given = Object.hasOwn(limits, name) ? limits[name] : undefined;
      if (given === undefined || compareQuantities(limit, given) <= 0) continue;
      const why = `must be less than or equal to pod limits of ${given}`;
      errors.push(invalid(`${at}.containers[${i}][${name}].limits`, limit, why));
    }
  }
  return errors;
}
