import {
  applyRule,
  cidrContains,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  parseCidr,
  portName,
  portNumber,
  type ResourceDefinition,
  required,
  validateLabelSelector,
  validateLegacyCidr,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { LabelSelector } from "../../generated/meta-v1.generated.ts";
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from "../../generated/networking-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** Who may speak with the pods of a namespace. */
export const networkPolicies: ResourceDefinition<NetworkPolicy> = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  resource: "networkpolicies",
  singular: "networkpolicy",
  listKind: "NetworkPolicyList",
  namespaced: true,
  shortNames: ["netpol"],
  schema: builtinSchema("networking.v1.NetworkPolicy"),
  defaults: setNetworkPolicyDefaults,
  strategy: { hasGeneration: true, validate: validateNetworkPolicy },
  columns: columnsFor<NetworkPolicy>("networkpolicies", [
    nameColumn,
    text("Pod-Selector", ({ spec }) => formatSelector(spec?.podSelector)),
    ageColumn,
  ]),
};

/** Source: kubernetes v1.36 pkg/apis/networking/v1/defaults.go. */
function setNetworkPolicyDefaults({ spec }: NetworkPolicy): void {
  if (spec === undefined) return;
  for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
    for (const port of rule.ports ?? []) port.protocol ??= "TCP";
  }
  if ((spec.policyTypes ?? []).length > 0) return;
  spec.policyTypes = (spec.egress ?? []).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
}

const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const POLICY_TYPES = ["Egress", "Ingress"];

/** Source: kubernetes v1.36 pkg/apis/networking/validation/validation.go, ValidateNetworkPolicySpec. */
function validateNetworkPolicy({ spec = {} }: NetworkPolicy): FieldError[] {
  const errors = validateLabelSelector(spec.podSelector, "spec.podSelector");
  for (const [i, { ports = [], from = [] }] of (spec.ingress ?? []).entries()) {
    const path = `spec.ingress[${i}]`;
    for (const [k, port] of ports.entries()) errors.push(...validatePort(port, `${path}.ports[${k}]`));
    for (const [k, peer] of from.entries()) errors.push(...validatePeer(peer, `${path}.from[${k}]`));
  }
  for (const [i, { ports = [], to = [] }] of (spec.egress ?? []).entries()) {
    const path = `spec.egress[${i}]`;
    for (const [k, port] of ports.entries()) errors.push(...validatePort(port, `${path}.ports[${k}]`));
    for (const [k, peer] of to.entries()) errors.push(...validatePeer(peer, `${path}.to[${k}]`));
  }
  const types = spec.policyTypes ?? [];
  if (types.length > 2)
    errors.push(invalid("spec.policyTypes", types, "may not specify more than two policyTypes"));
  else {
    for (const [i, type] of types.entries()) {
      if (!POLICY_TYPES.includes(type))
        errors.push(notSupported(`spec.policyTypes[${i}]`, type, POLICY_TYPES));
    }
  }
  return errors;
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (protocol !== undefined && !PROTOCOLS.includes(protocol)) {
    errors.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
  }
  if (typeof port === "string") {
    if (endPort !== undefined) {
      errors.push(invalid(`${path}.endPort`, endPort, "may not be specified when `port` is non-numeric"));
    }
    return [...errors, ...applyRule(portName, port, `${path}.port`)];
  }
  if (port === undefined) {
    if (endPort !== undefined) {
      errors.push(invalid(`${path}.endPort`, endPort, "may not be specified when `port` is not specified"));
    }
    return errors;
  }
  if (endPort !== undefined) {
    if (endPort < port)
      errors.push(invalid(`${path}.endPort`, port, "must be greater than or equal to `port`"));
    for (const problem of portNumber(endPort)) errors.push(invalid(`${path}.endPort`, endPort, problem));
  }
  for (const problem of portNumber(port)) errors.push(invalid(`${path}.port`, port, problem));
  return errors;
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  path: string,
): FieldError[] {
  const errors = [
    ...validateLabelSelector(podSelector, `${path}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
  ];
  if (ipBlock !== undefined) errors.push(...validateBlock(ipBlock, `${path}.ipBlock`));
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
  if (!hasSelector && ipBlock === undefined) errors.push(required(path, "must specify a peer"));
  else if (hasSelector && ipBlock !== undefined) {
    errors.push(forbiddenField(path, "may not specify both ipBlock and another peer"));
  }
  return errors;
}

function validateBlock({ cidr, except = [] }: IPBlock, path: string): FieldError[] {
  if (cidr === "") return [required(`${path}.cidr`)];
  const errors = validateLegacyCidr(`${path}.cidr`, cidr);
  const outer = parseCidr(cidr);
  for (const [i, text] of except.entries()) {
    const at = `${path}.except[${i}]`;
    const problems = validateLegacyCidr(at, text);
    errors.push(...problems);
    const inner = parseCidr(text);
    if (outer === undefined || inner === undefined) continue;
    if (!cidrContains(outer, inner.address) || inner.prefixLength <= outer.prefixLength) {
      errors.push(invalid(at, text, "must be a strict subset of `cidr`"));
    }
  }
  return errors;
}

/** Source: kubernetes v1.36 apimachinery/pkg/apis/meta/v1/helpers.go, FormatLabelSelector. */
function formatSelector(selector: LabelSelector | undefined): string {
  const parts = Object.entries(selector?.matchLabels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  for (const { key, operator, values = [] } of selector?.matchExpressions ?? []) {
    if (operator === "In") parts.push(`${key} in (${[...values].sort().join(",")})`);
    else if (operator === "NotIn") parts.push(`${key} notin (${[...values].sort().join(",")})`);
    else parts.push(operator === "Exists" ? key : `!${key}`);
  }
  return parts.length === 0 ? "<none>" : parts.join(",");
}
