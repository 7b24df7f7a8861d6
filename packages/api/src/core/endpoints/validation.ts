import {
  applyRule,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  invalid,
  notSupported,
  portNumber,
  qualifiedName,
  required,
  validateLegacyIp,
} from "@binnacle/apimachinery";
import type { EndpointAddress, EndpointPort, Endpoints } from "../../generated/core-v1.generated.ts";
import { validateNonSpecialIp } from "../service/validation.ts";

const PROTOCOLS = ["SCTP", "TCP", "UDP"];

/** Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Endpoints. */
export function setEndpointsDefaults(endpoints: Endpoints): void {
  for (const subset of endpoints.subsets ?? [])
    for (const port of subset.ports ?? []) port.protocol ??= "TCP";
}

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateEndpointSubsets. */
export function validateEndpoints(endpoints: Endpoints): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { addresses = [], notReadyAddresses = [], ports = [] }] of (
    endpoints.subsets ?? []
  ).entries()) {
    const path = `subsets[${i}]`;
    if (addresses.length === 0 && notReadyAddresses.length === 0) {
      errors.push(required(path, "must specify `addresses` or `notReadyAddresses`"));
    }
    for (const [k, address] of addresses.entries())
      errors.push(...validateAddress(address, `${path}.addresses[${k}]`));
    for (const [k, address] of notReadyAddresses.entries()) {
      errors.push(...validateAddress(address, `${path}.notReadyAddresses[${k}]`));
    }
    for (const [k, port] of ports.entries()) {
      errors.push(...validatePort(port, ports.length > 1, `${path}.ports[${k}]`));
    }
  }
  return errors;
}

function validateAddress(address: EndpointAddress, path: string): FieldError[] {
  const problems = validateLegacyIp(`${path}.ip`, address.ip);
  const errors = [...problems];
  if (address.hostname) errors.push(...applyRule(dnsLabel, address.hostname, `${path}.hostname`));
  if (address.nodeName !== undefined)
    errors.push(...applyRule(dnsSubdomain, address.nodeName, `${path}.nodeName`));
  if (problems.length === 0) errors.push(...validateNonSpecialIp(`${path}.ip`, address.ip));
  return errors;
}

function validatePort(port: EndpointPort, isNameRequired: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (port.name) errors.push(...applyRule(dnsLabel, port.name, `${path}.name`));
  else if (isNameRequired) errors.push(required(`${path}.name`));
  for (const problem of portNumber(port.port)) errors.push(invalid(`${path}.port`, port.port, problem));
  if (!port.protocol) errors.push(required(`${path}.protocol`));
  else if (!PROTOCOLS.includes(port.protocol)) {
    errors.push(notSupported(`${path}.protocol`, port.protocol, PROTOCOLS));
  }
  if (port.appProtocol !== undefined) {
    errors.push(...applyRule(qualifiedName, port.appProtocol, `${path}.appProtocol`));
  }
  return errors;
}
