import { badRequest } from "@binnacle/apimachinery";
import { JsonSyntaxError, parseJson } from "@binnacle/base";

/** Where a list goes on: the revision that is read and the last key that was given. */
export interface ContinueToken {
  /** -1: read what is current. */
  readonly revision: number;
  /** The key below the resource's prefix. */
  readonly after: string;
}

const VERSION = "meta.k8s.io/v1";

/** Source: kubernetes v1.36 apiserver/pkg/storage/continue.go, EncodeContinue. */
export function encodeContinueToken(token: ContinueToken): string {
  // Upstream's start key is inclusive: the zero byte makes it the first key after the last one given.
  const json = JSON.stringify({ v: VERSION, rv: token.revision, start: `${token.after}\u0000` });
  return Buffer.from(json).toString("base64url");
}

/** Throws 400 with upstream's words for a token that this server has not made. */
export function decodeContinueToken(text: string): ContinueToken {
  const fail = (why: string): never => {
    throw badRequest(`invalid continue token: continue key is not valid: ${why}`);
  };
  const bytes = Buffer.from(text, "base64url");
  let value: unknown;
  try {
    value = parseJson(bytes.toString("latin1")).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return fail(error.message.replace(/'[\u0080-\uffff]'/, (quoted) => escapeControl(quoted)));
  }
  if (typeof value !== "object" || value === null) return fail("not an object");
  const { v, rv, start } = value as Record<string, unknown>;
  if (v !== VERSION) return fail(`server does not recognize this encoded version ${String(v ?? "")}`);
  if (typeof rv !== "number" || rv === 0)
    return fail(`incorrect encoded start resourceVersion (version ${VERSION})`);
  if (typeof start !== "string" || start === "") return fail(`empty start key (version ${VERSION})`);
  const key = start.startsWith("/") ? start : `/${start}`;
  // Upstream cleans the path and refuses what changed, so that a token cannot leave its resource.
  if (key.split("/").some((part) => part === "..")) return fail(start);
  return { revision: rv, after: start.endsWith("\u0000") ? start.slice(0, -1) : start };
}

function escapeControl(quoted: string): string {
  const code = quoted.charCodeAt(1);
  return code < 0xa0 ? `'\\u${code.toString(16).padStart(4, "0")}'` : quoted;
}
