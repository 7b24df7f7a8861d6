/** What is asked for in a request for a certificate. */
export interface RequestedIdentity {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** Reads requests and signs certificates: cryptography that this package leaves to whoever holds the key. */
export interface CertificateSigner {
  /** What a PEM request asks for. Rejects what is not a request or is not signed by its own key. */
  inspect(request: string): Promise<RequestedIdentity>;
  /** A PEM certificate for the request's key and names. `usages` as the API spells them, such as `client auth`. */
  sign(
    request: string,
    options: {
      readonly usages: readonly string[];
      readonly notBeforeMs: number;
      readonly notAfterMs: number;
    },
  ): Promise<string>;
}
