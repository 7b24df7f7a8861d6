import {
  dnsSubdomain,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from "@binnacle/apimachinery";
import type { CertificateSigningRequest } from "../../generated/certificates-v1.generated.ts";

const USAGES: ReadonlySet<string> = new Set([
  "signing",
  "digital signature",
  "content commitment",
  "key encipherment",
  "key agreement",
  "data encipherment",
  "cert sign",
  "crl sign",
  "encipher only",
  "decipher only",
  "any",
  "server auth",
  "client auth",
  "code signing",
  "email protection",
  "s/mime",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "timestamping",
  "ocsp signing",
  "microsoft sgc",
  "netscape sgc",
]);
const MIN_SECONDS = 600;
const PEM_REQUEST = "-----BEGIN CERTIFICATE REQUEST-----";

/** Source: kubernetes v1.36 pkg/apis/certificates/validation/validation.go, validateCertificateSigningRequest. */
export function validateCsr(csr: CertificateSigningRequest): FieldError[] {
  const { spec } = csr;
  const errors: FieldError[] = [];
  // Whether the bytes are a request is for the signer to find out; here only the wrapping is looked at.
  const pem = Buffer.from(spec.request ?? "", "base64").toString("latin1");
  if (!pem.includes(PEM_REQUEST)) {
    const why = "PEM block type must be CERTIFICATE REQUEST";
    errors.push(invalid("spec.request", spec.request, why));
  }
  const usages = spec.usages ?? [];
  if (usages.length === 0) errors.push(required("spec.usages"));
  for (const [i, usage] of usages.entries()) {
    if (!USAGES.has(usage)) errors.push(notSupported(`spec.usages[${i}]`, usage, [...USAGES].sort()));
    if (usages.indexOf(usage) < i) errors.push(duplicate(`spec.usages[${i}]`, usage));
  }
  if (spec.signerName === "kubernetes.io/legacy-unknown") {
    const why = "the legacy signerName is not allowed via this API version";
    errors.push(invalid("spec.signerName", spec.signerName, why));
  } else errors.push(...validateSignerName(spec.signerName, "spec.signerName"));
  if (spec.expirationSeconds !== undefined && spec.expirationSeconds < MIN_SECONDS) {
    const why = `may not specify a duration less than ${MIN_SECONDS} seconds (10 minutes)`;
    errors.push(invalid("spec.expirationSeconds", spec.expirationSeconds, why));
  }
  return [...errors, ...validateCsrConditions(csr)];
}

const MAX_SIGNER_NAME = 571;

/** `example.com/signer-name`. Source: validation.go, ValidateSignerName. */
function validateSignerName(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  const segments = name.split("/");
  if (segments.length !== 2) {
    const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(path, name, why)];
  }
  const errors = segments.flatMap((segment) =>
    dnsSubdomain(segment).map((problem) =>
      invalid(path, segment, `validating label ${JSON.stringify(segment)}: ${problem}`),
    ),
  );
  if (!segments[0]!.includes(".")) {
    errors.push(
      invalid(path, segments[0], "should be a domain with at least two segments separated by dots"),
    );
  }
  if (name.length > MAX_SIGNER_NAME)
    errors.push({
      type: "FieldValueTooLong",
      path,
      body: `Too long: may not be more than ${MAX_SIGNER_NAME} bytes`,
    });
  return errors;
}

/** Source: validation.go, validateConditions. */
export function validateCsrConditions({ status }: CertificateSigningRequest): FieldError[] {
  const errors: FieldError[] = [];
  const conditions = status?.conditions ?? [];
  const seen = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    const path = `status.conditions[${i}]`;
    if (condition.type === "") errors.push(required(`${path}.type`));
    if (condition.status === "") errors.push(required(`${path}.status`));
    else if (["Approved", "Denied", "Failed"].includes(condition.type)) {
      if (condition.status !== "True")
        errors.push(notSupported(`${path}.status`, condition.status, ["True"]));
    } else if (!["True", "False", "Unknown"].includes(condition.status)) {
      errors.push(notSupported(`${path}.status`, condition.status, ["True", "False", "Unknown"]));
    }
    if (seen.has(condition.type)) errors.push(duplicate(`${path}.type`, condition.type));
    seen.add(condition.type);
  }
  if (seen.has("Approved") && seen.has("Denied")) {
    errors.push(
      invalid("status.conditions", "Denied", "Approved and Denied conditions are mutually exclusive"),
    );
  }
  return errors;
}
