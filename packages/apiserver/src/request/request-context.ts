import type { RequestInfo } from "./request-info.ts";
import type { UserInfo } from "./user-info.ts";

/** A request on its way down the pipeline, from either transport. */
export interface RequestContext {
  readonly method: string;
  /** Decoded query parameters. */
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: RequestHeaders;
  readonly body: RequestBody;
  /** Aborted when the client went away or the deadline passed. */
  readonly signal: AbortSignal;
  /** From the TLS handshake; absent in process and without a client certificate. */
  readonly peerCertificate?: PeerCertificate;
  readonly remoteAddress?: string;
  info: RequestInfo;
  user: UserInfo;
  /** Texts for Warning headers, in order. */
  readonly warnings: string[];
  /** Headers of the answer, whatever it will be; lower-case names. */
  readonly answerHeaders: Record<string, string>;
  /** Lets the next one be served: called when this request is answered. Undefined when it holds no seat. */
  releaseSeat?: (() => void) | undefined;
}

export interface RequestHeaders {
  get(name: string): string | undefined;
  /** All values of a repeatable header. */
  all(name: string): readonly string[];
  names(): Iterable<string>;
}

/** Bytes from the wire, a value from a client in the same process, or nothing. */
export type RequestBody =
  | { readonly kind: "none" }
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "bytes"; readonly read: () => Promise<Buffer> };

export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Whether the certificate was signed by the client CA. */
  readonly isVerified: boolean;
  readonly uid?: string;
}

/** Adds a text once. Source: apiserver/pkg/warning/context.go drops repeated texts. */
export function addWarning(request: RequestContext, text: string): void {
  if (!request.warnings.includes(text)) request.warnings.push(text);
}
