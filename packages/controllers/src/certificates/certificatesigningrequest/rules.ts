/**
 * What the built-in signers sign: pure.
 *
 * Source: kubernetes v1.36 pkg/controller/certificates/signer/signer.go and pkg/apis/certificates/helpers.go.
 */
import type { RequestedIdentity } from "./signer.ts";

const API_CLIENT = "kubernetes.io/kube-apiserver-client";
const KUBELET_CLIENT = "kubernetes.io/kube-apiserver-client-kubelet";
const KUBELET_SERVING = "kubernetes.io/kubelet-serving";
const LEGACY = "kubernetes.io/legacy-unknown";

const KUBELET_CLIENT_USAGES: readonly string[] = ["client auth", "digital signature", "key encipherment"];
const KUBELET_SERVING_USAGES: readonly string[] = ["server auth", "digital signature", "key encipherment"];

/** Whether one of the built-in signers is asked. */
export function isBuiltinSigner(signerName: string): boolean {
  return [API_CLIENT, KUBELET_CLIENT, KUBELET_SERVING, LEGACY].includes(signerName);
}

/** Why the signer refuses; undefined when it signs. */
export function refusal(
  signerName: string,
  usages: readonly string[],
  identity: RequestedIdentity,
): string | undefined {
  switch (signerName) {
    case API_CLIENT:
      return clientUsageRefusal(usages);
    case KUBELET_CLIENT:
      return nodeRefusal(identity) ?? kubeletClientRefusal(usages, identity);
    case KUBELET_SERVING:
      return nodeRefusal(identity) ?? kubeletServingRefusal(usages, identity);
    default:
      return undefined;
  }
}

function clientUsageRefusal(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !KUBELET_CLIENT_USAGES.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes("client auth")
    ? undefined
    : "missing required usage for client certificate: client auth";
}

function nodeRefusal({ organizations, commonName }: RequestedIdentity): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== "system:nodes")
    return "subject organization is not system:nodes";
  return commonName.startsWith("system:node:")
    ? undefined
    : "subject common name does not begin with system:node:";
}

function kubeletClientRefusal(usages: readonly string[], identity: RequestedIdentity): string | undefined {
  if (identity.dnsNames.length > 0) return "DNS subjectAltNames are not allowed";
  if (identity.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (identity.ipAddresses.length > 0) return "IP subjectAltNames are not allowed";
  if (identity.uris.length > 0) return "URI subjectAltNames are not allowed";
  return hasExactly(usages, KUBELET_CLIENT_USAGES)
    ? undefined
    : `usages did not match ${JSON.stringify([...KUBELET_CLIENT_USAGES].sort())}`;
}

function kubeletServingRefusal(usages: readonly string[], identity: RequestedIdentity): string | undefined {
  if (identity.dnsNames.length === 0 && identity.ipAddresses.length === 0)
    return "DNS or IP subjectAltName is required";
  if (identity.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (identity.uris.length > 0) return "URI subjectAltNames are not allowed";
  return hasExactly(usages, KUBELET_SERVING_USAGES)
    ? undefined
    : `usages did not match ${JSON.stringify([...KUBELET_SERVING_USAGES].sort())}`;
}

/** Key encipherment may be left out: keys of today's kinds do not use it. */
function hasExactly(usages: readonly string[], wanted: readonly string[]): boolean {
  const required = wanted.filter((usage) => usage !== "key encipherment");
  return usages.every((usage) => wanted.includes(usage)) && required.every((usage) => usages.includes(usage));
}
