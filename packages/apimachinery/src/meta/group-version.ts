/** A group and version; the core group is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupResource {
  readonly group: string;
  /** The plural name, such as `deployments`. */
  readonly resource: string;
}

/** `v1` for the core group, `apps/v1` otherwise. */
export function formatApiVersion(gv: GroupVersion): string {
  return gv.group === "" ? gv.version : `${gv.group}/${gv.version}`;
}

/** The inverse of {@link formatApiVersion}; undefined for more than one slash. */
export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  const parts = apiVersion.split("/");
  if (parts.length === 1) return { group: "", version: parts[0]! };
  if (parts.length === 2) return { group: parts[0]!, version: parts[1]! };
  return undefined;
}

/** `deployments.apps`, or `pods` for the core group. */
export function formatGroupResource(gr: GroupResource): string {
  return gr.group === "" ? gr.resource : `${gr.resource}.${gr.group}`;
}
