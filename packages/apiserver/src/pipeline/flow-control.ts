import { tooManyRequests } from "@binnacle/apimachinery";
import type { RequestContext } from "../request/request-context.ts";

/**
 * Bounds how many requests are under way: so many reads, so many writes. Watches and health checks do not count.
 *
 * Source: kube-apiserver --max-requests-inflight (400) and --max-mutating-requests-inflight (200).
 */
export class FlowControl {
  readonly #limits: Readonly<Record<Kind, number>>;
  readonly #running: Record<Kind, number> = { read: 0, write: 0 };

  constructor(limits: { reads?: number; writes?: number } = {}) {
    this.#limits = { read: limits.reads ?? 400, write: limits.writes ?? 200 };
  }

  /** Takes a place, or throws 429. The returned function gives it back. */
  enter(request: RequestContext): () => void {
    const kind = kindOf(request);
    if (kind === undefined) return () => {};
    if (this.#running[kind] >= this.#limits[kind]) {
      throw tooManyRequests("too many requests, please try again later.", 1);
    }
    this.#running[kind]++;
    return () => {
      this.#running[kind]--;
    };
  }
}

type Kind = "read" | "write";

const EXEMPT_PATHS: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz"]);

function kindOf(request: RequestContext): Kind | undefined {
  const { verb, path } = request.info;
  if (verb === "watch" || EXEMPT_PATHS.has(path)) return undefined;
  return verb === "get" || verb === "list" ? "read" : "write";
}
