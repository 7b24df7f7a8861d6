import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRealClock, createSystemRandom } from "@binnacle/base";
import { expect, it } from "vitest";
import { createCertificateSigner } from "./certificate-signer.ts";
import { createPki } from "./pki.ts";

/** The request of the recording: an RSA key, CN=golden, O=devs. */
function recordedRequest(): string {
  const file = new URL("../../../test/golden/controllers.csr-signing.json", import.meta.url);
  const recording = JSON.parse(readFileSync(file, "utf8"));
  return Buffer.from(recording.steps[0].request.body.spec.request, "base64").toString("utf8");
}

it("signs a request with the CA, for the names and uses it asks for", async () => {
  const sources = { clock: createRealClock(), random: createSystemRandom() };
  const { ca } = await createPki({ hosts: [], addresses: [] }, sources);
  const signer = createCertificateSigner(ca, sources.random);
  const request = recordedRequest();
  expect(await signer.inspect(request)).toEqual({
    commonName: "golden",
    organizations: ["devs"],
    dnsNames: [],
    ipAddresses: [],
    emailAddresses: [],
    uris: [],
  });
  const now = sources.clock.now();
  const pem = await signer.sign(request, {
    usages: ["client auth"],
    notBeforeMs: now,
    notAfterMs: now + 3_600_000,
  });
  const certificate = new X509Certificate(pem);
  const authority = new X509Certificate(ca.certificate);
  expect(certificate.verify(authority.publicKey)).toBe(true);
  expect(certificate.subject).toContain("CN=golden");
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
  expect(certificate.ca).toBe(false);
});

it("refuses what is not a request", async () => {
  const sources = { clock: createRealClock(), random: createSystemRandom() };
  const { ca } = await createPki({ hosts: [], addresses: [] }, sources);
  await expect(createCertificateSigner(ca, sources.random).inspect("nonsense")).rejects.toThrow();
});
