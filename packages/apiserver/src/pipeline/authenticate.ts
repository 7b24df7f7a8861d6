import { unauthorized } from "@binnacle/apimachinery";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { RequestContext } from "../request/request-context.ts";
import { ANONYMOUS, asAuthenticated } from "../request/user-info.ts";

/** Finds out who asks. Wrong credentials are 401; none at all is the anonymous user where that is allowed. */
export async function authenticate(core: ApiServerCore, request: RequestContext): Promise<void> {
  const pending = core.authenticator.authenticate(request);
  const result = pending instanceof Promise ? await pending : pending;
  if (result === "invalid") throw unauthorized();
  if (result !== undefined) {
    request.user = asAuthenticated(result);
    return;
  }
  if (!core.allowsAnonymous) throw unauthorized();
  request.user = ANONYMOUS;
}
