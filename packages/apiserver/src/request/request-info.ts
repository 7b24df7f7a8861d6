/** What a request's method and path ask for. Source: kubernetes v1.36 apiserver/pkg/endpoints/request/requestinfo.go. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** The API verb for resources (`list`, `deletecollection`, …), the lower-case method otherwise. */
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Path segments from the resource's name on, decoded. */
  readonly parts: readonly string[];
}

const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ["POST", "create"],
  ["GET", "get"],
  ["HEAD", "get"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

/** Resources whose last segment under a namespace is a subresource of the namespace itself. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(["status", "finalize"]);

/** Understands a path. A path that is not percent-encoded UTF-8 is treated as a non-resource path. */
export function parseRequestInfo(
  method: string,
  path: string,
  query: { get(name: string): string | null },
): RequestInfo {
  const plain: RequestInfo = {
    isResourceRequest: false,
    verb: method.toLowerCase(),
    path,
    group: "",
    version: "",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    parts: [],
  };
  const segments = splitPath(path);
  if (segments === undefined) return plain;
  let at: number;
  let group = "";
  if (segments[0] === "api" && segments.length >= 3) at = 1;
  else if (segments[0] === "apis" && segments.length >= 4) {
    group = segments[1]!;
    at = 2;
  } else return plain;
  const version = segments[at]!;
  at++;
  let verb = METHOD_VERBS.get(method) ?? "";
  if (segments[at] === "watch") {
    at++;
    verb = "watch";
    if (segments[at] === undefined) return plain;
  } else if (segments[at] === "proxy") return plain;

  let namespace = "";
  if (segments[at] === "namespaces" && segments[at + 1] !== undefined) {
    namespace = segments[at + 1]!;
    const next = segments[at + 2];
    if (next !== undefined && !NAMESPACE_SUBRESOURCES.has(next)) at += 2;
  }
  const parts = segments.slice(at);
  const resource = parts[0] ?? "";
  const name = parts[1] ?? "";
  const subresource = parts[2] ?? "";
  if (name === "" && verb === "get") verb = isTrue(query.get("watch")) ? "watch" : "list";
  else if (name === "" && verb === "delete") verb = "deletecollection";
  return {
    isResourceRequest: true,
    verb: verb === "" ? method.toLowerCase() : verb,
    path,
    group,
    version,
    resource,
    subresource,
    namespace,
    name:
      verb === "list" || verb === "watch" || verb === "deletecollection" ? nameInSelector(name, query) : name,
    parts,
  };
}

/**
 * Whether a boolean query parameter is on: anything but `false` and `0`.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/runtime/conversion.go, Convert_Slice_string_To_bool.
 */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

function nameInSelector(name: string, query: { get(name: string): string | null }): string {
  if (name !== "") return name;
  const match = /^metadata\.name=([^,=!]+)$/.exec(query.get("fieldSelector") ?? "");
  return match?.[1] ?? "";
}

function splitPath(path: string): string[] | undefined {
  const segments = path.replace(/^\/+|\/+$/g, "").split("/");
  if (!path.includes("%")) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined; // Not valid percent-encoding: no resource can be meant.
  }
}
