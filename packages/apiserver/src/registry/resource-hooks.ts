import type { KubeObject, UnstructuredObject } from "@binnacle/apimachinery";
import type { ApiResponse } from "../request/api-response.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiServerCore } from "./api-server-core.ts";
import type { ServedResource } from "./resource-registry.ts";

/** What a named kind adds to the general handling of its requests. Filled by the assembly, empty for most kinds. */
export interface ResourceHooks {
  /**
   * Runs after preparation and before validation of a create, for what must be reserved (addresses, ports). The
   * returned function undoes it when the create fails.
   */
  readonly beginCreate?: (context: HookContext, object: UnstructuredObject) => Undo;
  /** The same for an update. */
  readonly beginUpdate?: (context: HookContext, updated: UnstructuredObject, old: UnstructuredObject) => Undo;
  /** Runs after an object is gone. */
  readonly afterDelete?: (core: ApiServerCore, object: UnstructuredObject) => void;
  /**
   * Changes how an object without metadata finalizers is deleted: `mark` gives the object to store instead of
   * removing it; undefined removes it.
   */
  readonly markForDeletion?: (object: UnstructuredObject, nowMs: number) => UnstructuredObject | undefined;
  /** Whether an update may leave the object without finalizers and so remove it. Default: no metadata finalizers. */
  readonly isFinalized?: (object: UnstructuredObject) => boolean;
  /** Answers a create of a kind that is never stored. */
  readonly answer?: (
    context: HookContext,
    object: UnstructuredObject & KubeObject,
  ) => Promise<UnstructuredObject> | UnstructuredObject;
  /** Answers a POST to the collection in full, before the body is read. */
  readonly answerRaw?: (context: SubresourceContext) => Promise<ApiResponse>;
  /** Further subresources by name. */
  readonly subresources?: Readonly<Record<string, SubresourceHandler>>;
}

/** Undoes a reservation; undefined when nothing was reserved. */
export type Undo = (() => void) | undefined;

export interface HookContext {
  readonly core: ApiServerCore;
  readonly request: RequestContext;
  readonly served: ServedResource;
  readonly isDryRun: boolean;
}

export interface SubresourceHandler {
  /** Served verbs, as discovery lists them. */
  readonly verbs: readonly string[];
  /** The kind that discovery shows. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** What follows in the path belongs to the subresource. Default false: nothing may follow. */
  readonly takesPath?: boolean;
  readonly handle: (context: SubresourceContext) => Promise<ApiResponse>;
}

export interface SubresourceContext {
  readonly core: ApiServerCore;
  readonly request: RequestContext;
  readonly served: ServedResource;
}
