import type { AuthenticationResult, Authenticator, RequestContext, UserInfo } from "@binnacle/apiserver";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";
import type { TokenTable } from "./token-file.ts";

/**
 * Client certificates first, then bearer tokens: static ones, then service accounts'. Wrong credentials are
 * refused even where anonymous requests are allowed.
 */
export function createAuthenticator(options: {
  readonly tokens: TokenTable;
  readonly serviceAccounts: ServiceAccountTokens;
}): Authenticator {
  return {
    authenticate(request: RequestContext): AuthenticationResult | Promise<AuthenticationResult> {
      const byCertificate = authenticateCertificate(request);
      if (byCertificate !== undefined) return byCertificate;
      const token = bearerToken(request);
      if (token === undefined) return undefined;
      return options.tokens.find(token) ?? options.serviceAccounts.authenticate(token) ?? "invalid";
    },
  };
}

/** Source: kubernetes v1.36 apiserver/pkg/authentication/request/x509/x509.go: CN is the user, O the groups. */
function authenticateCertificate(request: RequestContext): UserInfo | "invalid" | undefined {
  const { peerCertificate } = request;
  if (peerCertificate === undefined || peerCertificate.commonName === "") return undefined;
  if (!peerCertificate.isVerified) return "invalid";
  return { name: peerCertificate.commonName, groups: peerCertificate.organizations };
}

/** Source: apiserver/pkg/authentication/request/bearertoken/bearertoken.go. */
function bearerToken(request: RequestContext): string | undefined {
  const header = request.headers.get("authorization")?.trim();
  if (header === undefined || header === "") return undefined;
  const [scheme = "", token = ""] = header.split(" ", 3);
  if (scheme.toLowerCase() !== "bearer" || token === "") return undefined;
  return token;
}
