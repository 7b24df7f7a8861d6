import "reflect-metadata";
import { createPrivateKey, webcrypto } from "node:crypto";
import type { Random } from "@binnacle/base";
import type { CertificateSigner } from "@binnacle/controllers";
import type { KeyPair } from "./pki.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Signs certificates with the cluster's CA. */
export function createCertificateSigner(ca: KeyPair, random: Random): CertificateSigner {
  return {
    async inspect(request) {
      const parsed = await parse(request);
      const names = (await alternativeNames(parsed)).map(({ type, value }) => [type, value] as const);
      const of = (type: string): string[] =>
        names.filter(([each]) => each === type).map(([, value]) => value);
      return {
        commonName: parsed.subjectName.getField("CN")[0] ?? "",
        organizations: parsed.subjectName.getField("O"),
        dnsNames: of("dns"),
        ipAddresses: of("ip"),
        emailAddresses: of("email"),
        uris: of("url"),
      };
    },
    async sign(request, { usages, notBeforeMs, notAfterMs }) {
      const x509 = await load();
      const parsed = await parse(request);
      const issuer = new x509.X509Certificate(ca.certificate);
      const signingKey = await webcrypto.subtle.importKey(
        "pkcs8",
        createPrivateKey(ca.privateKey).export({ type: "pkcs8", format: "der" }),
        ALGORITHM,
        false,
        ["sign"],
      );
      const names = await alternativeNames(parsed);
      const extended = usages.flatMap((usage) => {
        if (usage === "client auth") return [x509.ExtendedKeyUsage.clientAuth];
        return usage === "server auth" ? [x509.ExtendedKeyUsage.serverAuth] : [];
      });
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: Buffer.from(random.bytes(16)).toString("hex").replace(/^./, "1"),
        subject: parsed.subject,
        issuer: issuer.subject,
        notBefore: new Date(notBeforeMs),
        notAfter: new Date(Math.min(notAfterMs, issuer.notAfter.getTime())),
        signingAlgorithm: ALGORITHM,
        publicKey: await parsed.publicKey.export(),
        signingKey,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(
            x509.KeyUsageFlags.digitalSignature | keyEncipherment(x509, usages),
            true,
          ),
          ...(extended.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension(extended)]),
          ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
        ],
      });
      return `${certificate.toString("pem")}\n`;
    },
  };
}

type X509 = typeof import("@peculiar/x509");

/** Loaded only when a certificate is asked for: it is large. */
async function load(): Promise<X509> {
  const x509 = await import("@peculiar/x509");
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[1] & object); // Node's is the standard one.
  return x509;
}

async function parse(request: string): Promise<InstanceType<X509["Pkcs10CertificateRequest"]>> {
  const x509 = await load();
  const parsed = new x509.Pkcs10CertificateRequest(request);
  if (!(await parsed.verify())) throw new Error("the certificate request is not signed by its own key");
  return parsed;
}

async function alternativeNames(
  parsed: InstanceType<X509["Pkcs10CertificateRequest"]>,
): Promise<{ type: "dns" | "ip" | "email" | "url"; value: string }[]> {
  const x509 = await load();
  const extension = parsed.extensions.find((each) => each instanceof x509.SubjectAlternativeNameExtension);
  return (extension?.names.items ?? []).flatMap(({ type, value }) =>
    type === "dns" || type === "ip" || type === "email" || type === "url" ? [{ type, value }] : [],
  );
}

function keyEncipherment(x509: X509, usages: readonly string[]): number {
  return usages.includes("key encipherment") ? x509.KeyUsageFlags.keyEncipherment : 0;
}
