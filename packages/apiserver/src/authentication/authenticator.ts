import type { RequestContext } from "../request/request-context.ts";
import type { UserInfo } from "../request/user-info.ts";

/**
 * Finds out who asks. Undefined: the request carries nothing this authenticator knows. `invalid`: it carries
 * credentials of this kind, and they are wrong.
 */
export interface Authenticator {
  authenticate(request: RequestContext): Promise<AuthenticationResult> | AuthenticationResult;
}

export type AuthenticationResult = UserInfo | "invalid" | undefined;
