import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  parseIp,
  portNumber,
  qualifiedName,
  required,
  tooMany,
  validateImmutable,
  validateIp,
} from "@binnacle/apimachinery";
import { validateNonSpecialIp } from "../../core/service/validation.ts";
import type { Endpoint, EndpointPort, EndpointSlice } from "../../generated/discovery-v1.generated.ts";

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const MAX_ADDRESSES = 100;
const MAX_ENDPOINTS = 1000;
const MAX_PORTS = 20_000;
const MAX_HINTS = 8;

/** Source: kubernetes v1.36 pkg/apis/discovery/v1/defaults.go, SetDefaults_EndpointPort. */
export function setEndpointSliceDefaults(slice: EndpointSlice): void {
  for (const port of slice.ports ?? []) {
    port.name ??= "";
    port.protocol ??= "TCP";
  }
}

/** Source: kubernetes v1.36 pkg/apis/discovery/validation/validation.go, ValidateEndpointSlice. */
export function validateEndpointSlice(slice: EndpointSlice): FieldError[] {
  return validateSlice(slice, new Set());
}

/** Addresses that are `known` were accepted before and stay so. */
function validateSlice(slice: EndpointSlice, known: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  if (!slice.addressType) errors.push(required("addressType"));
  else if (!ADDRESS_TYPES.includes(slice.addressType)) {
    errors.push(notSupported("addressType", slice.addressType, ADDRESS_TYPES));
  }
  const endpoints = slice.endpoints ?? [];
  if (endpoints.length > MAX_ENDPOINTS) errors.push(tooMany("endpoints", endpoints.length, MAX_ENDPOINTS));
  else {
    for (const [i, endpoint] of endpoints.entries()) {
      errors.push(...validateEndpoint(endpoint, slice.addressType, `endpoints[${i}]`, known));
    }
  }
  errors.push(...validatePorts(slice.ports ?? []));
  return errors;
}

/** Source: validation.go, ValidateEndpointSliceUpdate. */
export function validateEndpointSliceUpdate(updated: EndpointSlice, old: EndpointSlice): FieldError[] {
  const known = new Set((old.endpoints ?? []).flatMap(({ addresses }) => addresses ?? []));
  return [
    ...validateSlice(updated, known),
    ...validateImmutable(updated.addressType, old.addressType, "addressType"),
  ];
}

function validateEndpoint(
  endpoint: Endpoint,
  addressType: string,
  path: string,
  known: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const addresses = endpoint.addresses ?? [];
  if (addresses.length === 0) errors.push(required(`${path}.addresses`, "must contain at least 1 address"));
  else if (addresses.length > MAX_ADDRESSES) {
    errors.push(tooMany(`${path}.addresses`, addresses.length, MAX_ADDRESSES));
  }
  for (const [i, address] of addresses.entries()) {
    if (known.has(address)) continue;
    errors.push(...validateAddress(address, addressType, `${path}.addresses[${i}]`));
  }
  if (endpoint.nodeName !== undefined)
    errors.push(...applyRule(dnsSubdomain, endpoint.nodeName, `${path}.nodeName`));
  if (endpoint.hostname !== undefined)
    errors.push(...applyRule(dnsLabel, endpoint.hostname, `${path}.hostname`));
  for (const field of ["forZones", "forNodes"] as const) {
    const hints = endpoint.hints?.[field] ?? [];
    const at = `${path}.hints.${field}`;
    if (hints.length > MAX_HINTS) errors.push(tooMany(at, hints.length, MAX_HINTS));
    for (const [i, { name }] of hints.entries()) {
      if (hints.findIndex((hint) => hint.name === name) < i) errors.push(duplicate(`${at}[${i}].name`, name));
      if (field === "forNodes") errors.push(...applyRule(dnsSubdomain, name, `${at}[${i}].name`));
    }
  }
  return errors;
}

function validateAddress(address: string, addressType: string, path: string): FieldError[] {
  if (addressType === "FQDN") return applyRule(dnsSubdomain, address, path);
  const problems = validateIp(path, address);
  if (problems.length > 0) return problems;
  const family = parseIp(address)?.family;
  if (addressType === "IPv4" && family !== 4) return [invalid(path, address, "must be an IPv4 address")];
  if (addressType === "IPv6" && family !== 6) return [invalid(path, address, "must be an IPv6 address")];
  return validateNonSpecialIp(path, address);
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > MAX_PORTS) return [tooMany("ports", ports.length, MAX_PORTS)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, { name = "", protocol, port, appProtocol }] of ports.entries()) {
    const path = `ports[${i}]`;
    if (name !== "") errors.push(...applyRule(dnsLabel, name, `${path}.name`));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    if (port !== undefined) {
      for (const problem of portNumber(port)) errors.push(invalid(`${path}.port`, port, problem));
    }
    if (!protocol) errors.push(required(`${path}.protocol`));
    else if (!PROTOCOLS.includes(protocol))
      errors.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
    if (appProtocol !== undefined)
      errors.push(...applyRule(qualifiedName, appProtocol, `${path}.appProtocol`));
  }
  return errors;
}

/** Source: kubernetes v1.36 pkg/registry/discovery/endpointslice/strategy.go, warnOnDeprecatedAddressType. */
export function warningsForEndpointSlice(slice: EndpointSlice): string[] {
  return slice.addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [];
}
