import { formatFieldErrors } from "@binnacle/apimachinery";
import { describe, expect, it } from "vitest";
import type { CertificateSigningRequest } from "../../generated/certificates-v1.generated.ts";
import { certificateSigningRequests } from "./index.ts";
import { prepareCsrApproval, prepareCsrForCreate, prepareCsrStatus } from "./strategy.ts";
import { validateCsr } from "./validation.ts";

function csr(change: Partial<CertificateSigningRequest["spec"]> = {}): CertificateSigningRequest {
  const request = Buffer.from("-----BEGIN CERTIFICATE REQUEST-----\n").toString("base64");
  return {
    metadata: { name: "a" },
    spec: { request, signerName: "x.io/y", usages: ["client auth"], ...change },
  };
}

describe("a certificate signing request", () => {
  it("names who really asks", () => {
    const object = csr({ username: "root", groups: ["system:masters"] });
    prepareCsrForCreate(object, {
      nowMs: 0,
      user: { name: "alice", uid: "u", groups: ["devs"], extra: { a: ["b"] } },
    });
    expect(object.spec).toMatchObject({ username: "alice", uid: "u", groups: ["devs"], extra: { a: ["b"] } });
  });

  it("is decided through approval only", () => {
    const approved = { type: "Approved", status: "True" };
    const viaStatus: CertificateSigningRequest = { ...csr(), status: { conditions: [{ ...approved }] } };
    prepareCsrStatus(viaStatus, csr(), { nowMs: 0 });
    expect(viaStatus.status).toEqual({});
    const viaApproval: CertificateSigningRequest = {
      ...csr(),
      status: { certificate: "eA==", conditions: [{ ...approved }] },
    };
    prepareCsrApproval(viaApproval, csr(), { nowMs: 0 });
    const time = "1970-01-01T00:00:00Z";
    expect(viaApproval.status).toEqual({
      conditions: [{ ...approved, lastUpdateTime: time, lastTransitionTime: time }],
    });
  });

  it("is judged", () => {
    expect(validateCsr(csr())).toEqual([]);
    expect(formatFieldErrors(validateCsr(csr({ signerName: "x", usages: [], expirationSeconds: 1 })))).toBe(
      "[spec.usages: Required value, spec.signerName: Invalid value: \"x\": must be a fully qualified domain and path of the form 'example.com/signer-name', spec.expirationSeconds: Invalid value: 1: may not specify a duration less than 600 seconds (10 minutes)]",
    );
  });

  it("shows its state", () => {
    const object: CertificateSigningRequest = {
      ...csr(),
      status: { certificate: "eA==", conditions: [{ type: "Approved", status: "True" }] },
    };
    expect(certificateSigningRequests.columns?.at(-1)?.cell(object, { nowMs: 0 })).toBe("Approved,Issued");
  });
});
