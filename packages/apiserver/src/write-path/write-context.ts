import type { UnstructuredObject } from "@binnacle/apimachinery";
import type { Entry } from "@binnacle/storage";
import type { AdmissionAttributes } from "../admission/admission.ts";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { Undo } from "../registry/resource-hooks.ts";
import type { ServedResource } from "../registry/resource-registry.ts";
import type { RequestContext } from "../request/request-context.ts";
import { addWarning } from "../request/request-context.ts";
import type { WriteOptions } from "./write-options.ts";

/** One write on its way down the write path. */
export interface WriteContext {
  readonly core: ApiServerCore;
  readonly request: RequestContext;
  readonly served: ServedResource;
  readonly options: WriteOptions;
  readonly operation: "CREATE" | "UPDATE";
  /** Empty for the resource itself. */
  readonly subresource: string;
  readonly namespace: string;
  /** From the path, or from the object for a create. */
  name: string;
  /** In the stored version and private to this write. */
  object: UnstructuredObject;
  /** What is stored now; undefined for a create. */
  readonly old: { readonly entry: Entry; readonly object: UnstructuredObject } | undefined;
  /** Gives back what was reserved for this write. */
  undo: Undo;
}

/** What admission is told about a write. */
export function admissionAttributes(write: WriteContext): AdmissionAttributes {
  return {
    operation: write.operation,
    served: write.served,
    subresource: write.subresource,
    namespace: write.namespace,
    name: write.name,
    object: write.object,
    oldObject: write.old?.object,
    user: write.request.user,
    isDryRun: write.options.isDryRun,
    options: {},
    addWarning: (text) => addWarning(write.request, text),
  };
}
