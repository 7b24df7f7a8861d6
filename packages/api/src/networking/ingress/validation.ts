import {
  applyRule,
  dnsLabel1035,
  dnsSubdomain,
  type FieldError,
  invalid,
  notSupported,
  parseIp,
  portName,
  portNumber,
  required,
  validateLegacyIp,
  wildcardDnsSubdomain,
} from "@binnacle/apimachinery";
import type { HTTPIngressPath, Ingress, IngressBackend } from "../../generated/networking-v1.generated.ts";

const CLASS_ANNOTATION = "kubernetes.io/ingress.class";
const PATH_TYPES = ["Exact", "Prefix", "ImplementationSpecific"];
const BAD_SEQUENCES = ["//", "/./", "/../", "%2f", "%2F"];
const BAD_SUFFIXES = ["/..", "/."];

/** Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateIngressCreate. */
export function validateIngressCreate(ingress: Ingress): FieldError[] {
  const errors = validateIngress(ingress);
  const annotation = ingress.metadata.annotations?.[CLASS_ANNOTATION];
  if (annotation !== undefined && ingress.spec?.ingressClassName !== undefined) {
    const why = "can not be set when the class field is also set";
    errors.push(invalid(`metadata.annotations.${CLASS_ANNOTATION}`, annotation, why));
  }
  return errors;
}

/** Source: validation.go, ValidateIngressSpec. */
export function validateIngress({ spec = {} }: Ingress): FieldError[] {
  const errors: FieldError[] = [];
  const rules = spec.rules ?? [];
  if (rules.length === 0 && spec.defaultBackend === undefined) {
    errors.push(invalid("spec", rules, "either `defaultBackend` or `rules` must be specified"));
  }
  if (spec.defaultBackend !== undefined) {
    errors.push(...validateBackend(spec.defaultBackend, "spec.defaultBackend"));
  }
  for (const [i, { host = "", http }] of rules.entries()) {
    const path = `spec.rules[${i}]`;
    if (host !== "") {
      if (parseIp(host) !== undefined)
        errors.push(invalid(`${path}.host`, host, "must be a DNS name, not an IP address"));
      const rule = host.includes("*") ? wildcardDnsSubdomain : dnsSubdomain;
      errors.push(...applyRule(rule, host, `${path}.host`));
    }
    if (http === undefined) continue;
    const paths = http.paths ?? [];
    if (paths.length === 0) errors.push(required(`${path}.http.paths`));
    for (const [k, entry] of paths.entries()) errors.push(...validatePath(entry, `${path}.http.paths[${k}]`));
  }
  for (const [i, { hosts = [], secretName = "" }] of (spec.tls ?? []).entries()) {
    for (const [k, host] of hosts.entries()) {
      const rule = host.includes("*") ? wildcardDnsSubdomain : dnsSubdomain;
      errors.push(...applyRule(rule, host, `spec.tls[${i}].hosts[${k}]`));
    }
    if (secretName !== "") errors.push(...applyRule(dnsSubdomain, secretName, `spec.tls[${i}].secretName`));
  }
  if (spec.ingressClassName !== undefined) {
    errors.push(...applyRule(dnsSubdomain, spec.ingressClassName, "spec.ingressClassName"));
  }
  return errors;
}

/** Source: validation.go, validateHTTPIngressPath. */
function validatePath({ path = "", pathType, backend }: HTTPIngressPath, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!pathType) errors.push(required(`${at}.pathType`, "pathType must be specified"));
  else if (!PATH_TYPES.includes(pathType)) errors.push(notSupported(`${at}.pathType`, pathType, PATH_TYPES));
  else if (pathType === "Exact" || pathType === "Prefix") {
    if (!path.startsWith("/")) errors.push(invalid(`${at}.path`, path, "must be an absolute path"));
    if (path !== "") {
      for (const bad of BAD_SEQUENCES) {
        if (path.includes(bad)) errors.push(invalid(`${at}.path`, path, `must not contain '${bad}'`));
      }
      for (const bad of BAD_SUFFIXES) {
        if (path.endsWith(bad)) errors.push(invalid(`${at}.path`, path, `cannot end with '${bad}'`));
      }
    }
  } else if (path !== "" && !path.startsWith("/")) {
    errors.push(invalid(`${at}.path`, path, "must be an absolute path"));
  }
  return [...errors, ...validateBackend(backend, `${at}.backend`)];
}

/** Source: validation.go, validateIngressBackend. */
function validateBackend({ service, resource }: IngressBackend, path: string): FieldError[] {
  if (resource !== undefined && service !== undefined) {
    return [invalid(path, "", "cannot set both resource and service backends")];
  }
  if (resource !== undefined) {
    const errors: FieldError[] = [];
    if (resource.kind === "") errors.push(required(`${path}.resource.kind`));
    if (resource.name === "") errors.push(required(`${path}.resource.name`));
    return errors;
  }
  if (service === undefined) return [required(path, "resource or service backend is required")];
  const errors: FieldError[] = [];
  if (service.name === "") errors.push(required(`${path}.service.name`));
  else errors.push(...applyRule(dnsLabel1035, service.name, `${path}.service.name`));
  const { name = "", number = 0 } = service.port ?? {};
  if (name !== "" && number !== 0) {
    errors.push(invalid(path, "", "cannot set both port name & port number"));
  } else if (name !== "") errors.push(...applyRule(portName, name, `${path}.service.port.name`));
  else if (number !== 0) {
    for (const problem of portNumber(number))
      errors.push(invalid(`${path}.service.port.number`, number, problem));
  } else {
    errors.push(required(path, "port name or number is required"));
  }
  return errors;
}

/** Source: validation.go, ValidateIngressStatusUpdate. */
export function validateIngressStatus({ status }: Ingress): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { ip = "", hostname = "" }] of (status?.loadBalancer?.ingress ?? []).entries()) {
    const path = `status.loadBalancer.ingress[${i}]`;
    if (ip !== "") errors.push(...validateLegacyIp(`${path}.ip`, ip));
    if (hostname === "") continue;
    errors.push(...applyRule(dnsSubdomain, hostname, `${path}.hostname`));
    if (parseIp(hostname) !== undefined) {
      errors.push(invalid(`${path}.hostname`, hostname, "must be a DNS name, not an IP address"));
    }
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/registry/networking/ingress/strategy.go, WarningsOnCreate. */
export function warningsForIngress({ metadata }: Ingress): string[] {
  if (metadata.annotations?.[CLASS_ANNOTATION] === undefined) return [];
  return [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`];
}
