import {
  applyRule,
  canonicalizeQuantity,
  configMapKey,
  dnsLabel,
  dnsSubdomain,
  envVarName,
  type FieldError,
  invalid,
  maskTrailingDash,
  notFoundValue,
  notSupported,
  qualifiedName,
  quantitySign,
  required,
} from "@binnacle/apimachinery";
import type {
  Container,
  EnvFromSource,
  EnvVar,
  ObjectFieldSelector,
  PodSpec,
  ResourceFieldSelector,
} from "../../generated/core-v1.generated.ts";
import { containersWithPaths } from "./containers.ts";
import { validatePathNoBacksteps } from "./paths.ts";

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateEnv, ValidateEnvFrom. */
export function validateEnvironment(container: Container, path: string): FieldError[] {
  return [
    ...(container.env ?? []).flatMap((variable, i) => validateVariable(variable, `${path}.env[${i}]`)),
    ...(container.envFrom ?? []).flatMap((source, i) => validateEnvFrom(source, `${path}.envFrom`, i)),
  ];
}

function validateVariable(variable: EnvVar, path: string): FieldError[] {
  const errors = variable.name
    ? applyRule(envVarName, variable.name, `${path}.name`)
    : [required(`${path}.name`)];
  return [...errors, ...validateValueFrom(variable, `${path}.valueFrom`)];
}

function validateValueFrom({ value, valueFrom }: EnvVar, path: string): FieldError[] {
  if (valueFrom === undefined) return [];
  const errors: FieldError[] = [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef !== undefined) {
    errors.push(...validateFieldSelector(fieldRef, ENV_FIELDS, `${path}.fieldRef`));
  }
  if (resourceFieldRef !== undefined) {
    errors.push(...validateResourceSelector(resourceFieldRef, `${path}.resourceFieldRef`));
  }
  for (const [name, selector] of Object.entries({ configMapKeyRef, secretKeyRef })) {
    if (selector === undefined) continue;
    errors.push(...applyRule(dnsSubdomain, selector.name ?? "", `${path}.${name}.name`));
    errors.push(...requiredRule(configMapKey, selector.key, `${path}.${name}.key`));
  }
  if (fileKeyRef !== undefined) {
    const at = `${path}.fileKeyRef`;
    errors.push(...requiredRule(envVarName, fileKeyRef.key, `${at}.key`));
    errors.push(...requiredRule(dnsLabel, fileKeyRef.volumeName, `${at}.volumeName`));
    if (!fileKeyRef.path) errors.push(required(`${at}.path`));
    else errors.push(...validatePathNoBacksteps(fileKeyRef.path, `${at}.path`));
  }
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef];
  const count = sources.filter((source) => source !== undefined).length;
  if (count === 0) {
    const choices = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    errors.push(invalid(path, "", `must specify one of: ${choices}`));
  } else if (value) {
    errors.push(invalid(path, "", "may not be specified when `value` is not empty"));
  } else if (count > 1) {
    errors.push(invalid(path, "", "may not have more than one field specified at a time"));
  }
  return errors;
}

function requiredRule(
  rule: (value: string) => string[],
  value: string | undefined,
  path: string,
): FieldError[] {
  return value ? applyRule(rule, value, path) : [required(path)];
}

function validateEnvFrom(source: EnvFromSource, listPath: string, i: number): FieldError[] {
  const path = `${listPath}[${i}]`;
  const errors: FieldError[] = [];
  if (source.prefix) errors.push(...applyRule(envVarName, source.prefix, `${path}.prefix`));
  const { configMapRef, secretRef } = source;
  for (const [name, reference] of Object.entries({ configMapRef, secretRef })) {
    if (reference === undefined) continue;
    const at = `${path}.${name}.name`;
    if (!reference.name) {
      errors.push(required(at));
      continue;
    }
    // A name may end in a dash here, as a generated one would before its suffix.
    for (const problem of dnsSubdomain(maskTrailingDash(reference.name))) {
      errors.push(invalid(at, reference.name, problem));
    }
  }
  // Upstream names the list here, not the item.
  if (configMapRef === undefined && secretRef === undefined) {
    errors.push(invalid(listPath, "", "must specify one of: `configMapRef` or `secretRef`"));
  } else if (configMapRef !== undefined && secretRef !== undefined) {
    errors.push(invalid(listPath, "", "may not have more than one field specified at a time"));
  }
  return errors;
}

const ENV_FIELDS: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** What can be read through the downward API at all, here or in a volume. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...ENV_FIELDS,
  "metadata.annotations",
  "metadata.labels",
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
  "spec.host",
]);

/**
 * A reference to a field of the pod itself, such as `metadata.labels['app']`.
 *
 * Source: kubernetes v1.36 validation.go, validateObjectFieldSelector, and pkg/apis/core/pods/helpers.go,
 * ConvertDownwardAPIFieldLabel.
 */
export function validateFieldSelector(
  selector: ObjectFieldSelector,
  allowed: readonly string[],
  path: string,
): FieldError[] {
  if (!selector.apiVersion) return [required(`${path}.apiVersion`)];
  if (!selector.fieldPath) return [required(`${path}.fieldPath`)];
  const { apiVersion, fieldPath } = selector;
  const fail = (why: string): FieldError[] => [
    invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== "v1") return fail(`unsupported pod version: ${apiVersion}`);
  const subscripted = /^(.+?)\['(.*)'\]$/s.exec(fieldPath);
  if (subscripted !== null) {
    const [, field = "", key = ""] = subscripted;
    if (field === "metadata.annotations") return applyRule(qualifiedName, key.toLowerCase(), path);
    if (field === "metadata.labels") return applyRule(qualifiedName, key, path);
    return fail(`field label does not support subscript: ${fieldPath}`);
  }
  if (!KNOWN_FIELDS.has(fieldPath)) return fail(`field label not supported: ${fieldPath}`);
  const field = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
  return allowed.includes(field) ? [] : [notSupported(`${path}.fieldPath`, field, allowed)];
}

const RESOURCE_FIELDS: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

const CPU_DIVISORS: readonly string[] = ["1m", "1"];
const BYTE_DIVISORS: readonly string[] = [
  ...["1", "1k", "1M", "1G", "1T", "1P", "1E"],
  ...["1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"],
];

/** Source: kubernetes v1.36 validation.go, validateContainerResourceFieldSelector and ….Divisor. */
export function validateResourceSelector(
  selector: ResourceFieldSelector,
  path: string,
  needsContainer = false,
): FieldError[] {
  const resource = selector.resource ?? "";
  const isHugePages = /^(?:limits|requests)\.hugepages-/.test(resource);
  const errors: FieldError[] = [];
  if (needsContainer && !selector.containerName) errors.push(required(`${path}.containerName`));
  else if (resource === "") errors.push(required(`${path}.resource`));
  else if (!RESOURCE_FIELDS.includes(resource) && !isHugePages) {
    errors.push(notSupported(`${path}.resource`, resource, RESOURCE_FIELDS));
  }
  const divisor = canonicalizeQuantity(selector.divisor ?? "0");
  if (quantitySign(divisor) === 0) return errors;
  const rule = divisorRule(resource, isHugePages);
  if (rule !== undefined && !rule.allowed.includes(divisor)) {
    const why = `only divisor's values ${rule.shown} are supported with the ${rule.name} resource`;
    errors.push(invalid(`${path}.divisor`, resource, why));
  }
  return errors;
}

function divisorRule(
  resource: string,
  isHugePages: boolean,
): { allowed: readonly string[]; shown: string; name: string } | undefined {
  const bytes = (name: string): { allowed: readonly string[]; shown: string; name: string } => ({
    allowed: BYTE_DIVISORS,
    shown: BYTE_DIVISORS.join(", "),
    name,
  });
  if (isHugePages) return bytes("hugepages");
  switch (resource.replace(/^(?:limits|requests)\./, "")) {
    case "cpu":
      return { allowed: CPU_DIVISORS, shown: "1m and 1", name: "cpu" };
    case "memory":
      return bytes("memory");
    case "ephemeral-storage":
      return bytes("local ephemeral storage");
    default:
      return undefined;
  }
}

/** Variables read from a file need an emptyDir that holds it. Source: validation.go, validateFileKeyRefVolumes. */
export function validateFileVolumes(spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const { container, path: at } of containersWithPaths(spec, path)) {
    for (const [i, { valueFrom }] of (container.env ?? []).entries()) {
      if (valueFrom?.fileKeyRef === undefined) continue;
      const name = valueFrom.fileKeyRef.volumeName ?? "";
      const where = `${at}.env[${i}].valueFrom.fileKeyRef.volumeName`;
      const volume = spec.volumes?.findLast((candidate) => candidate.name === name);
      if (volume === undefined) errors.push(notFoundValue(where, name));
      else if (volume.emptyDir === undefined) {
        errors.push(invalid(where, name, "referenced volume must be of type emptyDir"));
      }
    }
  }
  return errors;
}
