import type { Activity, Clock, Logger, Random } from "@binnacle/base";
import type { Storage } from "@binnacle/storage";
import type { AdmissionPlugin } from "../admission/admission.ts";
import type { Authenticator } from "../authentication/authenticator.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { WatchHub } from "../watch-cache/watch-hub.ts";
import type { ResourceRegistry } from "./resource-registry.ts";

/** Everything a request may use. One per server. */
export interface ApiServerCore {
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
  readonly watchHub: WatchHub;
  readonly admission: readonly AdmissionPlugin[];
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Requests under way and events not yet handed over. */
  readonly activity: Activity;
  /** Paths outside of resources, such as `/version`, longest match first. */
  readonly paths: PathHandlers;
}

export interface PathHandlers {
  find(path: string): PathHandler | undefined;
}

export type PathHandler = (
  core: ApiServerCore,
  request: import("../request/request-context.ts").RequestContext,
) => Promise<import("../request/api-response.ts").ApiResponse> | import("../request/api-response.ts").ApiResponse;
