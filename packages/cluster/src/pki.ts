import "reflect-metadata";
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate as NodeCertificate,
  webcrypto,
} from "node:crypto";
import type { Clock, Random } from "@binnacle/base";

/** A certificate and its key, as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Everything a cluster needs to prove who it is. */
export interface ClusterPki {
  readonly ca: KeyPair;
  readonly server: KeyPair;
  /** The client certificate of `kubernetes-admin` in `system:masters`. */
  readonly admin: KeyPair;
  readonly serviceAccount: ServiceAccountKey;
}

/** The key that signs service-account tokens. */
export interface ServiceAccountKey {
  readonly privateKey: string;
  readonly keyId: string;
}

const YEAR_MS = 365 * 24 * 3_600_000;
/** Source: kubeadm's certificates: ten years for a CA, one for what it signs. */
const CA_YEARS = 10;
const LEAF_YEARS = 1;
/** Clocks of clients may be behind by this much. */
const SKEW_MS = 5 * 60_000;

/** Makes all keys and certificates of a new cluster. Takes about a tenth of a second. */
export async function createPki(
  names: { readonly hosts: readonly string[]; readonly addresses: readonly string[] },
  sources: { readonly clock: Clock; readonly random: Random },
): Promise<ClusterPki> {
  const ca = await createCa(sources);
  return { ca, ...(await issueLeaves(ca, names, sources)), serviceAccount: createServiceAccountKey() };
}

/** New certificates for the server and the administrator by the same CA: whoever trusts it need not be told. */
export async function renewLeaves(
  pki: ClusterPki,
  names: { readonly hosts: readonly string[]; readonly addresses: readonly string[] },
  sources: { readonly clock: Clock; readonly random: Random },
): Promise<ClusterPki> {
  return { ...pki, ...(await issueLeaves(pki.ca, names, sources)) };
}

async function issueLeaves(
  ca: KeyPair,
  names: { readonly hosts: readonly string[]; readonly addresses: readonly string[] },
  sources: { readonly clock: Clock; readonly random: Random },
): Promise<Pick<ClusterPki, "server" | "admin">> {
  const issue = await createIssuer(ca, sources);
  return {
    server: await issue({ commonName: "kube-apiserver", usage: "server", ...names }),
    admin: await issue({
      commonName: "kubernetes-admin",
      organization: "system:masters",
      usage: "client",
      hosts: [],
      addresses: [],
    }),
  };
}

/** A new key for service-account tokens. Fast: nothing is certified. */
export function createServiceAccountKey(): ServiceAccountKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey: toPem(privateKey), keyId: keyIdOf(publicKey) };
}

/** Throws when a part cannot be read, or when a key is not that of its certificate. */
export function verifyReadable(pki: ClusterPki): void {
  for (const { certificate, privateKey } of [pki.ca, pki.server, pki.admin]) {
    if (!new NodeCertificate(certificate).checkPrivateKey(createPrivateKey(privateKey)))
      throw new Error("a certificate and its key do not belong together");
  }
  createPrivateKey(pki.serviceAccount.privateKey);
}

/** Whether a certificate names all of these and is valid for another week. */
export function isUsable(
  certificate: string,
  names: { readonly hosts: readonly string[]; readonly addresses: readonly string[] },
  nowMs: number,
): boolean {
  const parsed = new NodeCertificate(certificate);
  if (Date.parse(parsed.validTo) < nowMs + 7 * 24 * 3_600_000) return false;
  const covers = (name: string): boolean =>
    parsed.checkHost(name) !== undefined || parsed.checkIP(name) !== undefined;
  return [...names.hosts, ...names.addresses].every(covers);
}

interface CertificateRequest {
  readonly commonName: string;
  readonly organization?: string;
  readonly usage: "server" | "client";
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Loaded only when certificates must be made: it is large. */
async function loadX509(): Promise<typeof import("@peculiar/x509")> {
  const x509 = await import("@peculiar/x509");
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[1] & object); // Node's is the standard one.
  return x509;
}

interface Sources {
  readonly clock: Clock;
  readonly random: Random;
}

function serialOf({ random }: Sources): string {
  return Buffer.from(random.bytes(16)).toString("hex").replace(/^./, "1");
}

async function createCa(sources: Sources): Promise<KeyPair> {
  const x509 = await loadX509();
  const now = sources.clock.now();
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialOf(sources),
    name: "CN=kubernetes",
    notBefore: new Date(now - SKEW_MS),
    notAfter: new Date(now + CA_YEARS * YEAR_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    certificate: `${certificate.toString("pem")}\n`,
    privateKey: await exportKey(keys.privateKey),
  };
}

async function createIssuer(
  ca: KeyPair,
  sources: Sources,
): Promise<(request: CertificateRequest) => Promise<KeyPair>> {
  const x509 = await loadX509();
  const now = sources.clock.now();
  const issuer = new x509.X509Certificate(ca.certificate);
  const issuerKey = await issuer.publicKey.export();
  const signingKey = await webcrypto.subtle.importKey(
    "pkcs8",
    createPrivateKey(ca.privateKey).export({ type: "pkcs8", format: "der" }),
    ALGORITHM,
    false,
    ["sign"],
  );
  return async (request) => {
    const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    const usage =
      request.usage === "server" ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
    const names = [
      ...request.hosts.map((value) => ({ type: "dns" as const, value })),
      ...request.addresses.map((value) => ({ type: "ip" as const, value })),
    ];
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serialOf(sources),
      subject: [
        ...(request.organization === undefined ? [] : [{ O: [request.organization] }]),
        { CN: [request.commonName] },
      ],
      issuer: issuer.subject,
      notBefore: new Date(now - SKEW_MS),
      notAfter: new Date(Math.min(now + LEAF_YEARS * YEAR_MS, issuer.notAfter.getTime())),
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        await x509.AuthorityKeyIdentifierExtension.create(issuerKey),
        ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
      ],
    });
    return {
      certificate: `${certificate.toString("pem")}\n`,
      privateKey: await exportKey(keys.privateKey),
    };
  };
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key)).toString("base64");
  return `-----BEGIN PRIVATE KEY-----\n${der.replace(/(.{64})/g, "$1\n").trimEnd()}\n-----END PRIVATE KEY-----\n`;
}

function toPem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function keyIdOf(publicKey: KeyObject): string {
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64url");
}
