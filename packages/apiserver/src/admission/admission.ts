import type { UnstructuredObject } from "@binnacle/apimachinery";
import type { Write } from "@binnacle/storage";
import type { ApiServerCore } from "../registry/api-server-core.ts";
import type { ServedResource } from "../registry/resource-registry.ts";
import { addWarning, type RequestContext } from "../request/request-context.ts";
import type { UserInfo } from "../request/user-info.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** What an admission plugin is asked about. Source: kubernetes v1.36 apiserver/pkg/admission/interfaces.go. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly served: ServedResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty while a generated name is not known yet. */
  readonly name: string;
  /** In the stored version. A mutating plugin may change it; undefined for DELETE and CONNECT. */
  readonly object: UnstructuredObject | undefined;
  /** Frozen. Undefined for CREATE. */
  readonly oldObject: UnstructuredObject | undefined;
  readonly user: UserInfo;
  readonly isDryRun: boolean;
  /** The options object of the request, such as DeleteOptions. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly addWarning: (text: string) => void;
}

/** Decides about writes, after authorization. Throws a StatusError to refuse. */
export interface AdmissionPlugin {
  /** The name that `--enable-admission-plugins` knows it by. */
  readonly name: string;
  readonly operations: readonly AdmissionOperation[];
  /** May change `attributes.object`. Runs before validation. */
  readonly mutate?: (attributes: AdmissionAttributes, core: ApiServerCore) => Promise<void> | void;
  /** Sees the final object. */
  readonly validate?: (attributes: AdmissionAttributes, core: ApiServerCore) => Promise<void> | void;
  /**
   * Writes of other keys that happen together with this one or not at all. Runs last, and again when one of them did
   * not hold. A dry run asks too, and writes nothing.
   */
  readonly accompany?: (attributes: AdmissionAttributes, core: ApiServerCore) => readonly Write[];
}

/** Runs the mutating half of every plugin, in order. */
export async function mutate(core: ApiServerCore, attributes: AdmissionAttributes): Promise<void> {
  for (const plugin of core.admission) {
    if (plugin.mutate === undefined || !plugin.operations.includes(attributes.operation)) continue;
    const pending = plugin.mutate(attributes, core);
    if (pending !== undefined) await pending;
  }
}

/** Runs the validating half of every plugin, in order. */
export async function validate(core: ApiServerCore, attributes: AdmissionAttributes): Promise<void> {
  for (const plugin of core.admission) {
    if (plugin.validate === undefined || !plugin.operations.includes(attributes.operation)) continue;
    const pending = plugin.validate(attributes, core);
    if (pending !== undefined) await pending;
  }
}

/** What every plugin wants to be written together with the object. */
export function accompany(core: ApiServerCore, attributes: AdmissionAttributes): readonly Write[] {
  let writes: readonly Write[] = NOTHING;
  for (const plugin of core.admission) {
    if (plugin.accompany === undefined || !plugin.operations.includes(attributes.operation)) continue;
    const more = plugin.accompany(attributes, core);
    if (more.length > 0) writes = [...writes, ...more];
  }
  return writes;
}

const NOTHING: readonly Write[] = [];

/** Both halves for what is posted to a subresource and stored nowhere, such as an eviction. */
export async function admitPosted(
  core: ApiServerCore,
  request: RequestContext,
  posted: {
    readonly served: ServedResource;
    readonly subresource: string;
    readonly object: UnstructuredObject;
    readonly isDryRun: boolean;
  },
): Promise<void> {
  const attributes: AdmissionAttributes = {
    ...posted,
    operation: "CREATE",
    namespace: request.info.namespace,
    name: request.info.name,
    oldObject: undefined,
    user: request.user,
    options: {},
    addWarning: (text) => addWarning(request, text),
  };
  await mutate(core, attributes);
  await validate(core, attributes);
}
