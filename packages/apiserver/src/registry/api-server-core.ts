import type { ObjectSchema } from "@binnacle/apimachinery";
import type { Activity, Clock, Logger, Random } from "@binnacle/base";
import type { Storage } from "@binnacle/storage";
import type { AdmissionPlugin } from "../admission/admission.ts";
import type { Authenticator } from "../authentication/authenticator.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { FlowControl } from "../flow-control/flow-control.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
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
  /** Whether a request without credentials is the anonymous user rather than 401. */
  readonly allowsAnonymous: boolean;
  readonly flowControl: FlowControl;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Requests under way and events not yet handed over. */
  readonly activity: Activity;
  /** Schemas of the types that every resource shares. */
  readonly schemas: SharedSchemas;
  /** Paths outside of resources, such as `/version`, longest match first. */
  readonly paths: PathHandlers;
}

export interface SharedSchemas {
  /** meta/v1 DeleteOptions. */
  readonly deleteOptions: ObjectSchema;
  /** autoscaling/v1 Scale. */
  readonly scale: ObjectSchema;
  /** meta/v1 Status. */
  readonly status: ObjectSchema;
  /** meta/v1 ObjectMeta. */
  readonly objectMeta: ObjectSchema;
  /** meta/v1 ListMeta. */
  readonly listMeta: ObjectSchema;
}

export interface PathHandlers {
  find(path: string): PathHandler | undefined;
}

export type PathHandler = (
  core: ApiServerCore,
  request: RequestContext,
) => Promise<ApiResponse> | ApiResponse;
