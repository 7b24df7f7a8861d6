import { humanDuration, type ResourceDefinition } from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type { CertificateSigningRequest } from "../../generated/certificates-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";
import { prepareCsrForCreate, prepareCsrForUpdate, prepareCsrStatus } from "./strategy.ts";
import { validateCsr, validateCsrConditions } from "./validation.ts";

/** A request for a certificate. */
export const certificateSigningRequests: ResourceDefinition<CertificateSigningRequest> = {
  group: "certificates.k8s.io",
  version: "v1",
  kind: "CertificateSigningRequest",
  resource: "certificatesigningrequests",
  singular: "certificatesigningrequest",
  listKind: "CertificateSigningRequestList",
  namespaced: false,
  shortNames: ["csr"],
  schema: builtinSchema("certificates.v1.CertificateSigningRequest"),
  strategy: {
    prepareForCreate: prepareCsrForCreate,
    prepareForUpdate: prepareCsrForUpdate,
    validate: validateCsr,
    validateUpdate: validateCsrConditions,
  },
  status: { prepareForUpdate: prepareCsrStatus, validateUpdate: validateCsrConditions },
  columns: columnsFor<CertificateSigningRequest>("certificatesigningrequests", [
    nameColumn,
    ageColumn,
    text("SignerName", ({ spec }) => spec.signerName || "<none>"),
    text("Requestor", ({ spec }) => spec.username ?? ""),
    text("RequestedDuration", ({ spec }) => {
      return spec.expirationSeconds === undefined ? "<none>" : humanDuration(spec.expirationSeconds * 1000);
    }),
    text("Condition", formatCondition),
  ]),
  selectableFieldNames: ["spec.signerName"],
  selectableFields: ({ spec }) => ({ "spec.signerName": spec.signerName }),
};

/** Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, extractCSRStatus. */
function formatCondition({ status }: CertificateSigningRequest): string {
  const types = (status?.conditions ?? []).map(({ type }) => type);
  const words = [types.includes("Denied") ? "Denied" : types.includes("Approved") ? "Approved" : "Pending"];
  if (types.includes("Failed")) words.push("Failed");
  if (status?.certificate) words.push("Issued");
  return words.join(",");
}
