import { type CertificateSigningRequest, prepareCsrApproval, validateCsrConditions } from "@binnacle/api";
import { objectSubresource, type ResourceHooks } from "@binnacle/apiserver";

/** Requests for certificates are approved and denied through a subresource of its own. */
export const certificateSigningRequestHooks: ResourceHooks = {
  subresources: {
    approval: objectSubresource<CertificateSigningRequest>(
      { name: "approval", prepareForUpdate: prepareCsrApproval, validateUpdate: validateCsrConditions },
      { group: "certificates.k8s.io", version: "v1", kind: "CertificateSigningRequest" },
    ),
  },
};
