import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  inclusiveRange,
  invalid,
  notSupported,
  type ObjectMeta,
  qualifiedName,
  regexMessage,
  required,
  tooLong,
  validateLabels,
  validateLegacyIp,
} from "@binnacle/apimachinery";
import type { PodDNSConfig, PodSpec } from "../../generated/core-v1.generated.ts";
import { containersWithPaths } from "./containers.ts";
import { validateAffinity } from "./validate-affinity.ts";
import { validateContainers } from "./validate-containers.ts";
import { validateFileVolumes } from "./validate-env.ts";
import { validateOverhead, validatePodClaims, validatePodResources } from "./validate-resources.ts";
import {
  validateGates,
  validateSchedulingGroup,
  validateSpread,
  validateTolerations,
} from "./validate-scheduling.ts";
import { validatePodSecurityContext } from "./validate-security.ts";
import { validateVolumes } from "./validate-volumes.ts";
import { validateForOs, validateHostProcess } from "./validate-windows.ts";

export interface PodSpecPlace {
  readonly path: string;
  /** The metadata of the pod; undefined for a template. */
  readonly pod?: ObjectMeta;
}

const MAX_INT32 = 2 ** 31 - 1;

/**
 * Every error of a pod spec, in upstream's order.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodSpec.
 */
export function validatePodSpec(spec: PodSpec, { path, pod }: PodSpecPlace): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.terminationGracePeriodSeconds === undefined) {
    errors.push(required(`${path}.terminationGracePeriodSeconds`));
  }
  const volumes = validateVolumes(spec.volumes ?? [], pod?.name, `${path}.volumes`);
  return [
    ...errors,
    ...volumes.errors,
    ...validatePodClaims(spec.resourceClaims ?? [], pod, `${path}.resourceClaims`),
    ...validateContainers(spec, volumes.byName, path),
    ...validatePodResources(spec, path),
    ...validateHostPorts(spec, pod !== undefined, path),
    ...oneOf(spec.restartPolicy, RESTART_POLICIES, `${path}.restartPolicy`),
    ...oneOf(spec.dnsPolicy, DNS_POLICIES, `${path}.dnsPolicy`),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...validatePodSecurityContext(spec, `${path}.securityContext`),
    ...validateAffinity(spec.affinity, `${path}.affinity`),
    ...validateDnsConfig(spec.dnsConfig, spec.dnsPolicy, `${path}.dnsConfig`),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType = "" }, i) =>
      applyRule(qualifiedName, conditionType, `${path}.readinessGates[${i}].conditionType`),
    ),
    ...validateGates(spec.schedulingGates, `${path}.schedulingGates`),
    ...validateSpread(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...validateHostProcess(spec, path),
    ...validateHostUsers(spec, path),
    ...validateHostname(spec, path),
    ...ifGiven(dnsSubdomain, spec.serviceAccountName, `${path}.serviceAccountName`),
    ...ifGiven(dnsSubdomain, spec.nodeName, `${path}.nodeName`),
    ...validateDeadline(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`),
    ...ifGiven(dnsLabel, spec.hostname, `${path}.hostname`),
    ...ifGiven(dnsLabel, spec.subdomain, `${path}.subdomain`),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...validateHostAliases(spec, `${path}.hostAliases`),
    ...ifGiven(dnsSubdomain, spec.priorityClassName, `${path}.priorityClassName`),
    ...(spec.runtimeClassName === undefined
      ? []
      : applyRule(dnsSubdomain, spec.runtimeClassName, `${path}.runtimeClassName`)),
    ...(spec.preemptionPolicy === undefined
      ? []
      : oneOf(spec.preemptionPolicy, PREEMPTION_POLICIES, `${path}.preemptionPolicy`)),
    ...validateOverhead(spec.overhead, `${path}.overhead`),
    ...validateOs(spec, path),
    ...validateSchedulingGroup(spec.schedulingGroup, `${path}.schedulingGroup`),
    ...validateFileVolumes(spec, path),
  ];
}

const RESTART_POLICIES: readonly string[] = ["Always", "OnFailure", "Never"];
const DNS_POLICIES: readonly string[] = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const PREEMPTION_POLICIES: readonly string[] = ["PreemptLowerPriority", "Never"];

function oneOf(value: string | undefined, supported: readonly string[], path: string): FieldError[] {
  if (!value) return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

function ifGiven(rule: (value: string) => string[], value: string | undefined, path: string): FieldError[] {
  return value ? applyRule(rule, value, path) : [];
}

/**
 * On the host's network a port of the container is a port of the host. In a template it may still be unsaid.
 *
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodHostNetworkDeps.
 */
function validateHostPorts(spec: PodSpec, isPod: boolean, path: string): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  const errors: FieldError[] = [];
  for (const [i, { ports }] of (spec.containers ?? []).entries()) {
    for (const [j, { hostPort = 0, containerPort = 0 }] of (ports ?? []).entries()) {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) continue;
      const why = "must match `containerPort` when `hostNetwork` is true";
      errors.push(invalid(`${path}.containers[${i}].ports[${j}].hostPort`, hostPort, why));
    }
  }
  return errors;
}

/** What the C library can take. */
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodDNSConfig. */
function validateDnsConfig(
  config: PodDNSConfig | undefined,
  policy: string | undefined,
  path: string,
): FieldError[] {
  const nameservers = config?.nameservers ?? [];
  if (policy === "None") {
    if (config === undefined) {
      return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    }
    if (nameservers.length === 0) {
      const why = "must provide at least one DNS nameserver when `dnsPolicy` is None";
      return [required(`${path}.nameservers`, why)];
    }
  }
  if (config === undefined) return [];
  const errors: FieldError[] = [];
  const searches = config.searches ?? [];
  if (nameservers.length > MAX_NAMESERVERS) {
    const why = `must not have more than ${MAX_NAMESERVERS} nameservers`;
    errors.push(invalid(`${path}.nameservers`, nameservers, why));
  }
  for (const [i, server] of nameservers.entries()) {
    errors.push(...validateLegacyIp(`${path}.nameservers[${i}]`, server));
  }
  const at = `${path}.searches`;
  if (searches.length > MAX_SEARCHES) {
    errors.push(invalid(at, searches, `must not have more than ${MAX_SEARCHES} search paths`));
  }
  if (searches.join(" ").length > MAX_SEARCH_CHARACTERS) {
    const why = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
    errors.push(invalid(at, searches, why));
  }
  for (const [i, search] of searches.entries()) {
    if (search !== ".") errors.push(...applyRule(searchDomain, search.replace(/\.$/, ""), `${at}[${i}]`));
  }
  for (const [i, { name }] of (config.options ?? []).entries()) {
    if (!name) errors.push(required(`${path}.options[${i}]`, "must not be empty"));
  }
  return errors;
}

const SEARCH_PATTERN = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*";
const SEARCH_RULE = new RegExp(`^${SEARCH_PATTERN}$`);

/** A DNS subdomain with underscores. Source: apimachinery/pkg/util/validation, IsDNS1123SubdomainWithUnderscore. */
function searchDomain(value: string): string[] {
  const problems = value.length > 253 ? ["must be no more than 253 characters"] : [];
  if (SEARCH_RULE.test(value)) return problems;
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return [...problems, regexMessage(message, SEARCH_PATTERN, ["example.com"])];
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateHostUsers. */
function validateHostUsers(spec: PodSpec, path: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const why = "when `hostUsers` is false";
  const errors: FieldError[] = [];
  if (spec.hostNetwork === true) errors.push(forbiddenField(`${path}.hostNetwork`, why));
  // The capitals are upstream's.
  if (spec.hostPID === true) errors.push(forbiddenField(`${path}.HostPID`, why));
  if (spec.hostIPC === true) errors.push(forbiddenField(`${path}.HostIPC`, why));
  for (const { container, path: at } of containersWithPaths(spec, path)) {
    if (container.volumeDevices?.length) errors.push(forbiddenField(`${at}.volumeDevices`, why));
  }
  return errors;
}

const MAX_HOSTNAME = 64;

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodHostName. */
function validateHostname(spec: PodSpec, path: string): FieldError[] {
  const { hostnameOverride } = spec;
  if (hostnameOverride === undefined) return [];
  const at = `${path}.hostnameOverride`;
  const errors: FieldError[] = [];
  if (spec.setHostnameAsFQDN === true) {
    errors.push(forbiddenField(at, "may not be specified when setHostnameAsFQDN is true"));
  }
  if (spec.hostNetwork === true) {
    errors.push(forbiddenField(at, "may not be specified when hostNetwork is true"));
  }
  if (hostnameOverride.length > MAX_HOSTNAME) errors.push(tooLong(at, MAX_HOSTNAME));
  return [...errors, ...applyRule(dnsSubdomain, hostnameOverride, at)];
}

function validateDeadline(seconds: number | undefined, path: string): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= MAX_INT32)) return [];
  return [invalid(path, seconds, inclusiveRange(1, MAX_INT32))];
}

function validateHostAliases(spec: PodSpec, path: string): FieldError[] {
  return (spec.hostAliases ?? []).flatMap(({ ip = "", hostnames = [] }, i) => [
    ...validateLegacyIp(`${path}[${i}].ip`, ip),
    ...hostnames.flatMap((name, j) => applyRule(dnsSubdomain, name, `${path}[${i}].hostnames[${j}]`)),
  ]);
}

const SYSTEMS: readonly string[] = ["linux", "windows"];

function validateOs(spec: PodSpec, path: string): FieldError[] {
  if (spec.os === undefined) return [];
  const { name } = spec.os;
  if (!name) return [required(`${path}.os.name`)];
  if (!SYSTEMS.includes(name)) return [notSupported(`${path}.os`, name, SYSTEMS)];
  return validateForOs(spec, path);
}
