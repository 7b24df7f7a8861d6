import { isStatusError, type Status } from "@binnacle/apimachinery";
import { type ApiServerCore, requestInProcess, type UserInfo } from "@binnacle/apiserver";

export const ADMIN: UserInfo = { name: "admin", groups: ["system:masters", "system:authenticated"] };

/** What a test looks at of an answer. */
export interface Answer {
  readonly status: number;
  /** Of a refusal; otherwise empty. */
  readonly message: string;
  readonly warnings: readonly string[];
  readonly body: unknown;
}

/** Sends a request as a user. A refusal is an answer like any other. */
export async function requestAs(
  core: ApiServerCore,
  user: UserInfo,
  request: { method: string; path: string; body?: object; contentType?: string },
): Promise<Answer> {
  const [path = "", query] = request.path.split("?");
  try {
    const { status, body, warnings } = await requestInProcess(core, {
      ...request,
      path,
      query: new URLSearchParams(query),
      user,
      userAgent: "test",
    });
    return { status, message: "", warnings, body };
  } catch (error) {
    if (!isStatusError(error)) throw error;
    const status: Status = error.status;
    return { status: error.code, message: status.message ?? "", warnings: [], body: status };
  }
}
