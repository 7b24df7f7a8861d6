import {
  cidrContains,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  parseCidr,
  parseIp,
  portName,
  portNumber,
  qualifiedName,
  required,
  validateLabels,
  validateLegacyCidr,
  validateLegacyIp,
} from "@binnacle/apimachinery";
import type { Service, ServicePort } from "../../generated/core-v1.generated.ts";
import { forbidClusterIps, validateClusterIps, validateClusterIpsUpdate } from "./cluster-ip-validation.ts";
import { isExternallyAccessible, isHeadless, needsHealthCheckNodePort } from "./service-kind.ts";

const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const AFFINITIES = ["ClientIP", "None"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const POLICIES = ["Cluster", "Local"];
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";
const KUBELET_PORT = 10_250;
const MAX_AFFINITY_SECONDS = 86_400;

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateService. */
export function validateService(service: Service): FieldError[] {
  const { spec = {} } = service;
  const ports = spec.ports ?? [];
  const errors: FieldError[] = [];
  if (ports.length === 0 && !isHeadless(service) && spec.type !== "ExternalName")
    errors.push(required("spec.ports"));
  errors.push(...validateForType(service));
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    errors.push(...validatePort(port, `spec.ports[${i}]`, { isNameRequired: ports.length > 1, names }));
  }
  errors.push(...validateLabels(spec.selector, "spec.selector"));
  errors.push(...validateAffinity(service));
  errors.push(...validateClusterIps(service));
  for (const [i, address] of (spec.externalIPs ?? []).entries()) {
    const path = `spec.externalIPs[${i}]`;
    const problems = validateLegacyIp(path, address);
    errors.push(...(problems.length > 0 ? problems : validateNonSpecialIp(path, address)));
  }
  if (!spec.type) errors.push(required("spec.type"));
  else if (!TYPES.includes(spec.type)) errors.push(notSupported("spec.type", spec.type, TYPES));
  errors.push(...validateNodePorts(service), ...validateLoadBalancer(service));
  errors.push(...validateTrafficPolicies(service));
  return errors;
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateServiceUpdate. */
export function validateServiceUpdate(updated: Service, old: Service): FieldError[] {
  const errors = validateClusterIpsUpdate(updated, old);
  const areLoadBalancers = updated.spec?.type === "LoadBalancer" && old.spec?.type === "LoadBalancer";
  if (areLoadBalancers && updated.spec?.loadBalancerClass !== old.spec?.loadBalancerClass) {
    errors.push(
      invalid("spec.loadBalancerClass", updated.spec?.loadBalancerClass, "may not change once set"),
    );
  }
  return [...errors, ...validateService(updated)];
}

function validateForType(service: Service): FieldError[] {
  const { spec = {} } = service;
  const errors: FieldError[] = [];
  if (spec.type === "LoadBalancer") {
    for (const [i, { port }] of (spec.ports ?? []).entries()) {
      if (port !== KUBELET_PORT) continue;
      const why = `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`;
      errors.push(invalid(`spec.ports[${i}]`, port, why));
    }
  }
  if ((spec.type === "LoadBalancer" || spec.type === "NodePort") && isHeadless(service)) {
    errors.push(invalid("spec.clusterIPs[0]", "None", `may not be set to 'None' for ${spec.type} services`));
  }
  if (spec.type === "ExternalName") {
    errors.push(...forbidClusterIps(service));
    const target = (spec.externalName ?? "").replace(/\.$/, "");
    if (target === "") errors.push(required("spec.externalName"));
    else
      for (const problem of dnsSubdomain(target)) errors.push(invalid("spec.externalName", target, problem));
  }
  return errors;
}

interface PortRules {
  readonly isNameRequired: boolean;
  readonly names: Set<string>;
}

function validatePort(port: ServicePort, path: string, { isNameRequired, names }: PortRules): FieldError[] {
  const errors: FieldError[] = [];
  const { name = "", protocol = "", targetPort = 0 } = port;
  if (name === "") {
    if (isNameRequired) errors.push(required(`${path}.name`));
  } else {
    for (const problem of dnsLabel(name)) errors.push(invalid(`${path}.name`, name, problem));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
  }
  for (const problem of portNumber(port.port)) errors.push(invalid(`${path}.port`, port.port, problem));
  if (protocol === "") errors.push(required(`${path}.protocol`));
  else if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
  const problems = typeof targetPort === "string" ? portName(targetPort) : portNumber(targetPort);
  for (const problem of problems) errors.push(invalid(`${path}.targetPort`, targetPort, problem));
  if (port.appProtocol !== undefined) {
    for (const problem of qualifiedName(port.appProtocol)) {
      errors.push(invalid(`${path}.appProtocol`, port.appProtocol, problem));
    }
  }
  return errors;
}

function validateAffinity({ spec = {} }: Service): FieldError[] {
  const { sessionAffinity = "", sessionAffinityConfig } = spec;
  const path = "spec.sessionAffinityConfig";
  if (sessionAffinity === "") return [required("spec.sessionAffinity")];
  if (!AFFINITIES.includes(sessionAffinity)) {
    return [notSupported("spec.sessionAffinity", sessionAffinity, AFFINITIES)];
  }
  if (sessionAffinity === "None") {
    if (sessionAffinityConfig === undefined) return [];
    return [forbiddenField(path, "must not be set when session affinity is None")];
  }
  const why = "when session affinity type is ClientIP";
  if (sessionAffinityConfig === undefined) return [required(path, why)];
  if (sessionAffinityConfig.clientIP === undefined) return [required(`${path}.clientIP`, why)];
  const seconds = sessionAffinityConfig.clientIP.timeoutSeconds;
  if (seconds === undefined) return [required(`${path}.clientIP.timeoutSeconds`, why)];
  if (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS) return [];
  const limits = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`;
  return [invalid(`${path}.clientIP.timeoutSeconds`, seconds, limits)];
}

function validateNodePorts({ spec = {} }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const ports = spec.ports ?? [];
  if (spec.type === "ClusterIP") {
    for (const [i, { nodePort }] of ports.entries()) {
      if (nodePort) {
        errors.push(
          forbiddenField(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'"),
        );
      }
    }
  }
  const nodePorts = new Set<string>();
  for (const [i, { nodePort, protocol }] of ports.entries()) {
    if (!nodePort) continue;
    const key = `${nodePort}/${protocol}`;
    if (nodePorts.has(key)) errors.push(duplicate(`spec.ports[${i}].nodePort`, nodePort));
    nodePorts.add(key);
  }
  const seen = new Set<string>();
  for (const [i, { port, protocol = "" }] of ports.entries()) {
    const key = `${port}/${protocol}`;
    if (seen.has(key)) errors.push(duplicate(`spec.ports[${i}]`, internalPort(protocol, port)));
    seen.add(key);
  }
  return errors;
}

/** Upstream shows its internal struct here. */
function internalPort(protocol: string, port: number): object {
  return { Name: "", Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
}

function validateLoadBalancer({ spec = {} }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const isLoadBalancer = spec.type === "LoadBalancer";
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const path = "spec.LoadBalancerSourceRanges";
  if (ranges.length > 0 && !isLoadBalancer) errors.push(forbiddenField(path, ONLY_LOAD_BALANCER));
  for (const [i, range] of ranges.entries())
    errors.push(...validateLegacyCidr(`${path}[${i}]`, range.trim()));
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isLoadBalancer) {
    errors.push(forbiddenField("spec.allocateLoadBalancerNodePorts", ONLY_LOAD_BALANCER));
  }
  if (spec.allocateLoadBalancerNodePorts === undefined && isLoadBalancer) {
    errors.push(required("spec.allocateLoadBalancerNodePorts", "field is required"));
  }
  if (spec.loadBalancerClass !== undefined) {
    if (!isLoadBalancer) errors.push(forbiddenField("spec.loadBalancerClass", ONLY_LOAD_BALANCER));
    else {
      for (const problem of qualifiedName(spec.loadBalancerClass)) {
        errors.push(invalid("spec.loadBalancerClass", spec.loadBalancerClass, problem));
      }
    }
  }
  return errors;
}

function validateTrafficPolicies(service: Service): FieldError[] {
  const { spec = {} } = service;
  const errors: FieldError[] = [];
  const external = spec.externalTrafficPolicy ?? "";
  if (!isExternallyAccessible(service)) {
    if (external !== "") {
      const why = "may only be set for externally-accessible services";
      errors.push(invalid("spec.externalTrafficPolicy", external, why));
    }
  } else if (external === "") errors.push(required("spec.externalTrafficPolicy"));
  else if (!POLICIES.includes(external)) {
    errors.push(notSupported("spec.externalTrafficPolicy", external, POLICIES));
  }
  const healthPort = spec.healthCheckNodePort ?? 0;
  if (needsHealthCheckNodePort(service)) {
    if (healthPort === 0) errors.push(required("spec.healthCheckNodePort"));
    else
      for (const problem of portNumber(healthPort))
        errors.push(invalid("spec.healthCheckNodePort", healthPort, problem));
  } else if (healthPort !== 0) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalid("spec.healthCheckNodePort", healthPort, why));
  }
  const internal = spec.internalTrafficPolicy;
  if (internal === undefined) {
    if (spec.type === "ClusterIP" || spec.type === "NodePort" || spec.type === "LoadBalancer") {
      errors.push(required("spec.internalTrafficPolicy"));
    }
  } else if (!POLICIES.includes(internal)) {
    errors.push(notSupported("spec.internalTrafficPolicy", internal, POLICIES));
  }
  if (spec.trafficDistribution !== undefined && !DISTRIBUTIONS.includes(spec.trafficDistribution)) {
    errors.push(notSupported("spec.trafficDistribution", spec.trafficDistribution, DISTRIBUTIONS));
  }
  return errors;
}

/** What an endpoint or external address may not be. Source: kubernetes v1.36 validation.go, ValidateNonSpecialIP. */
export function validateNonSpecialIp(path: string, text: string): FieldError[] {
  const address = parseIp(text);
  if (address === undefined) return [invalid(path, text, "must be a valid IP address")];
  if (address.value === 0n) return [invalid(path, text, "may not be unspecified (0.0.0.0 or ::)")];
  for (const { ranges, what } of SPECIAL_RANGES) {
    if (ranges.some((range) => cidrContains(parseCidr(range)!, address))) return [invalid(path, text, what)];
  }
  return [];
}

const SPECIAL_RANGES = [
  { ranges: ["127.0.0.0/8", "::1/128"], what: "may not be in the loopback range (127.0.0.0/8, ::1/128)" },
  {
    ranges: ["169.254.0.0/16", "fe80::/10"],
    what: "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
  },
  {
    ranges: ["224.0.0.0/24", "ff02::/16"],
    what: "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
  },
];

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateLoadBalancerStatus. */
export function validateServiceStatus({ spec = {}, status }: Service): FieldError[] {
  const errors: FieldError[] = [];
  const path = "status.loadBalancer.ingress";
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (spec.type !== "LoadBalancer" && ingress.length > 0) {
    return [forbiddenField(path, 'may only be used when `spec.type` is "LoadBalancer"')];
  }
  for (const [i, { ip = "", hostname = "", ipMode }] of ingress.entries()) {
    const at = `${path}[${i}]`;
    if (ip !== "") errors.push(...validateLegacyIp(`${at}.ip`, ip));
    if (ipMode === undefined) {
      if (ip !== "") errors.push(required(`${at}.ipMode`, "must be specified when `ip` is set"));
    } else if (ip === "")
      errors.push(forbiddenField(`${at}.ipMode`, "may not be specified when `ip` is not set"));
    else if (ipMode !== "VIP" && ipMode !== "Proxy") {
      errors.push(notSupported(`${at}.ipMode`, ipMode, ["Proxy", "VIP"]));
    }
    if (hostname === "") continue;
    for (const problem of dnsSubdomain(hostname)) errors.push(invalid(`${at}.hostname`, hostname, problem));
    if (parseIp(hostname) !== undefined) {
      errors.push(invalid(`${at}.hostname`, hostname, "must be a DNS name, not an IP address"));
    }
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/api/service/warnings.go, GetWarningsForService. */
export function warningsForService(service: Service): string[] {
  const { spec = {} } = service;
  const warnings: string[] = [];
  if (isHeadless(service)) {
    if (spec.loadBalancerIP) warnings.push("spec.loadBalancerIP is ignored for headless services");
    if ((spec.externalIPs ?? []).length > 0)
      warnings.push("spec.externalIPs is ignored for headless services");
    if (spec.sessionAffinity !== "None")
      warnings.push("spec.SessionAffinity is ignored for headless services");
  }
  if (spec.type === "ExternalName" && (spec.externalIPs ?? []).length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (spec.type !== "ExternalName" && spec.externalName) {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  return warnings;
}
