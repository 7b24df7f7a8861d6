import type { CertificateSigningRequest } from "@binnacle/api";
import type { AdmissionAttributes, AdmissionPlugin, ApiServerCore } from "@binnacle/apiserver";
import { jsonEquals } from "@binnacle/base";
import { refusal } from "../refusal.ts";
import { subjectOf } from "./subject.ts";

const GROUP = "certificates.k8s.io";
const API_CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";
const MASTERS = "system:masters";

/**
 * Who approves or denies a request must be allowed to `approve` for its signer.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/certificates/approval/admission.go.
 */
export const certificateApproval: AdmissionPlugin = {
  name: "CertificateApproval",
  operations: ["UPDATE"],
  async validate(attributes, core) {
    if (!isAbout(attributes, "approval")) return;
    // Of the stored request: nobody picks the signer while approving.
    const { signerName } = (attributes.oldObject as unknown as CertificateSigningRequest).spec;
    if (await isAllowedFor(core, attributes, "approve", signerName)) return;
    throw refusal(
      attributes,
      `user not permitted to approve requests with signerName ${JSON.stringify(signerName)}`,
    );
  },
};

/**
 * Who issues a certificate or sets conditions must be allowed to `sign` for the request's signer.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/certificates/signing/admission.go.
 */
export const certificateSigning: AdmissionPlugin = {
  name: "CertificateSigning",
  operations: ["UPDATE"],
  async validate(attributes, core) {
    if (!isAbout(attributes, "status")) return;
    // Requests, as their resource says.
    const old = attributes.oldObject as unknown as CertificateSigningRequest;
    const updated = attributes.object as unknown as CertificateSigningRequest;
    const isSame = (["certificate", "conditions"] as const).every((field) =>
      jsonEquals(old.status?.[field], updated.status?.[field]),
    );
    if (isSame) return;
    const { signerName } = old.spec;
    if (await isAllowedFor(core, attributes, "sign", signerName)) return;
    throw refusal(
      attributes,
      `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`,
    );
  },
};

/**
 * The signer of API clients makes no masters: those could not be held back by any rule.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/certificates/subjectrestriction/admission.go.
 */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: "CertificateSubjectRestriction",
  operations: ["CREATE"],
  validate(attributes) {
    if (!isAbout(attributes, "")) return;
    const { spec } = attributes.object as unknown as CertificateSigningRequest; // By its resource.
    if (spec.signerName !== API_CLIENT_SIGNER) return;
    if (!organizations(attributes, spec.request).includes(MASTERS)) return;
    throw refusal(attributes, `use of ${API_CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`);
  },
};

function organizations(attributes: AdmissionAttributes, request: string): readonly string[] {
  try {
    return subjectOf(Buffer.from(request, "base64").toString("latin1")).organizations;
  } catch (error) {
    throw refusal(
      attributes,
      `failed to parse CSR: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function isAbout({ served, subresource }: AdmissionAttributes, wanted: string): boolean {
  return served.group === GROUP && served.resource === "certificatesigningrequests" && subresource === wanted;
}

/** The right to a signer, or to all signers of its domain. Source: pkg/certauthorization/certauthorization.go. */
async function isAllowedFor(
  core: ApiServerCore,
  { user }: AdmissionAttributes,
  verb: string,
  signerName: string,
): Promise<boolean> {
  for (const name of [signerName, `${signerName.split("/")[0]}/*`]) {
    const { verdict } = await core.authorizer.authorize({
      user,
      verb,
      isResourceRequest: true,
      group: GROUP,
      version: "*",
      resource: "signers",
      subresource: "",
      namespace: "",
      name,
      path: "",
    });
    if (verdict === "allow") return true;
  }
  return false;
}
