/** Who a client is: what it adds to each request and to the TLS handshake. */
export interface Credentials {
  /** The Authorization header, if any. */
  readonly authorization?: string;
  /** PEM. Both or none. */
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** Where credentials come from. They may change while a client runs. */
export interface CredentialSource {
  /** The credentials to use now; cheap when they have not expired. */
  current(): Promise<Credentials>;
  /** The server did not accept them (401): forget what is cached. Gives false when there is nothing fresher to get. */
  invalidate(): boolean;
}

/** Credentials that never change. */
export function fixedCredentials(credentials: Credentials): CredentialSource {
  return { current: () => Promise.resolve(credentials), invalidate: () => false };
}

/** A bearer token. */
export function bearerToken(token: string): Credentials {
  return { authorization: `Bearer ${token}` };
}

/** A user name and password, as HTTP basic authentication. */
export function basicAuth(username: string, password: string): Credentials {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}
