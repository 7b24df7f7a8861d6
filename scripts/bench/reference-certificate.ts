import { createRealClock, createSystemRandom } from "@binnacle/base";
import { createPki } from "@binnacle/cluster";

/** Certificates for the reference server, made as a cluster makes its own. */
export async function generateReferenceCertificate(): Promise<{
  certificate: string;
  privateKey: string;
  ca: string;
  clientCertificate: string;
  clientKey: string;
}> {
  const sources = { clock: createRealClock(), random: createSystemRandom() };
  const pki = await createPki({ hosts: ["localhost"], addresses: ["127.0.0.1"] }, sources);
  return {
    certificate: pki.server.certificate,
    privateKey: pki.server.privateKey,
    ca: pki.ca.certificate,
    clientCertificate: pki.admin.certificate,
    clientKey: pki.admin.privateKey,
  };
}
