import { describe, expect, it } from "vitest";
import { keptUntil } from "./index.ts";
import { isBuiltinSigner, refusal } from "./rules.ts";
import type { RequestedIdentity } from "./signer.ts";

const nobody: RequestedIdentity = {
  commonName: "x",
  organizations: [],
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
};
const node: RequestedIdentity = { ...nobody, commonName: "system:node:n1", organizations: ["system:nodes"] };

describe("refusal", () => {
  it.each([
    ["kube-apiserver-client", ["client auth"], nobody, undefined],
    ["kube-apiserver-client", ["server auth"], nobody, "invalid usage for client certificate: server auth"],
    [
      "kube-apiserver-client",
      ["digital signature"],
      nobody,
      "missing required usage for client certificate: client auth",
    ],
    ["kube-apiserver-client-kubelet", ["client auth", "digital signature"], node, undefined],
    [
      "kube-apiserver-client-kubelet",
      ["client auth", "digital signature"],
      nobody,
      "subject organization is not system:nodes",
    ],
    [
      "kube-apiserver-client-kubelet",
      ["client auth", "digital signature"],
      { ...node, commonName: "n1" },
      "subject common name does not begin with system:node:",
    ],
    [
      "kube-apiserver-client-kubelet",
      ["client auth", "digital signature"],
      { ...node, dnsNames: ["a"] },
      "DNS subjectAltNames are not allowed",
    ],
    [
      "kube-apiserver-client-kubelet",
      ["client auth"],
      node,
      'usages did not match ["client auth","digital signature","key encipherment"]',
    ],
    [
      "kubelet-serving",
      ["server auth", "digital signature"],
      { ...node, ipAddresses: ["10.0.0.1"] },
      undefined,
    ],
    ["kubelet-serving", ["server auth", "digital signature"], node, "DNS or IP subjectAltName is required"],
    ["legacy-unknown", ["any"], nobody, undefined],
  ])("of %s for %j", (signer, usages, identity, why) => {
    expect(refusal(`kubernetes.io/${signer}`, usages, identity)).toBe(why);
  });

  it("leaves other signers to others", () => {
    expect([isBuiltinSigner("kubernetes.io/kubelet-serving"), isBuiltinSigner("example.com/x")]).toEqual([
      true,
      false,
    ]);
  });
});

describe("keptUntil", () => {
  const spec = { request: "", signerName: "x" };

  it("is a day after the creation, or an hour after the decision", () => {
    const metadata = { creationTimestamp: "2026-01-01T00:00:00Z" };
    expect(keptUntil({ metadata, spec })).toBe(Date.UTC(2026, 0, 2));
    const conditions = [{ type: "Approved", status: "True", lastUpdateTime: "2026-01-01T05:00:00Z" }];
    expect(keptUntil({ metadata, spec, status: { conditions } })).toBe(Date.UTC(2026, 0, 1, 6));
  });
});
