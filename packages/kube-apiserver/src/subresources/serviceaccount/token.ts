import { builtinSchema, type Node, type Pod, type Secret, type TokenRequest } from "@binnacle/api";
import {
  badRequest,
  conflict,
  type FieldError,
  invalid,
  invalidObject,
  type KubeObject,
  notFound,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import {
  type ApiResponse,
  type ApiServerCore,
  admitPosted,
  decodeBody,
  mustFind,
  objectOf,
  parseWriteOptions,
  type RequestContext,
  respondWithValue,
  type ServedResource,
  toTime,
  trackUpdate,
} from "@binnacle/apiserver";
import { findObject } from "../../admission-plugins/lookup.ts";
import type { ServiceAccountTokens, TokenBinding } from "../../authentication/service-account-tokens.ts";

const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
const DEFAULT_SECONDS = 3_600;

/** POST of a TokenRequest: a token for a service account, bound to what the request names. */
export async function requestToken(
  core: ApiServerCore,
  request: RequestContext,
  served: ServedResource,
  tokens: ServiceAccountTokens,
): Promise<ApiResponse> {
  const options = parseWriteOptions(request, "CreateOptions");
  const schema = builtinSchema("authentication.v1.TokenRequest");
  const group = "authentication.k8s.io";
  const given = (await decodeBody(
    core,
    request,
    { group, version: "v1", kind: "TokenRequest", schema, hubGroup: group },
    options,
  )) as unknown as TokenRequest & UnstructuredObject;
  const { isDryRun } = options;
  await admitPosted(core, request, { served, subresource: "token", object: given, isDryRun });
  const account = objectOf(mustFind(core, request, served));
  const { spec } = given;
  const expirationSeconds = spec.expirationSeconds ?? DEFAULT_SECONDS;
  const managedFields = trackUpdate({
    live: undefined,
    updated: { ...given, spec: { ...spec, expirationSeconds } },
    schema,
    manager: options.fieldManager,
    apiVersion: `${group}/v1`,
    subresource: "token",
    time: toTime(core.clock.now()),
  });
  validateSpec(expirationSeconds, given.metadata.name ?? "");
  const { namespace, name } = request.info;
  const bound = findBound(core, spec.boundObjectRef, namespace);
  const audiences = (spec.audiences ?? []).length === 0 ? [tokens.issuer] : (spec.audiences ?? []);
  const { token, expiresAt } = tokens.issue({
    namespace,
    name,
    uid: account.metadata.uid ?? "",
    audiences,
    expirationSeconds,
    ...bound,
  });
  const result = {
    kind: "TokenRequest",
    apiVersion: `${group}/v1`,
    metadata: {
      name,
      namespace,
      uid: account.metadata.uid,
      creationTimestamp: toTime(core.clock.now()),
      ...(managedFields.length === 0 ? {} : { managedFields }),
    },
    spec: { audiences, expirationSeconds, boundObjectRef: spec.boundObjectRef ?? null },
    status: { token, expirationTimestamp: toTime(expiresAt * 1_000) },
  };
  return respondWithValue(core, request, 201, result);
}

/** Source: kubernetes v1.36 pkg/apis/authentication/validation/validation.go. */
function validateSpec(expirationSeconds: number, name: string): void {
  const errors: FieldError[] = [];
  const path = "spec.expirationSeconds";
  if (expirationSeconds < MIN_SECONDS) {
    errors.push(invalid(path, expirationSeconds, "may not specify a duration less than 10 minutes"));
  }
  if (expirationSeconds > MAX_SECONDS) {
    errors.push(invalid(path, expirationSeconds, "may not specify a duration larger than 2^32 seconds"));
  }
  if (errors.length > 0)
    throw invalidObject({ group: "authentication.k8s.io", kind: "TokenRequest" }, name, errors);
}

/** Source: pkg/registry/core/serviceaccount/storage/token.go. */
function findBound(
  core: ApiServerCore,
  reference: TokenRequest["spec"]["boundObjectRef"],
  namespace: string,
): { binding?: TokenBinding; node?: { name: string; uid: string } } {
  if (reference === undefined || reference === null) return {}; // Go writes the missing pointer as null.
  const { kind = "", apiVersion = "", name = "", uid = "" } = reference;
  const resource = apiVersion === "v1" ? BINDABLE.get(kind) : undefined;
  if (resource === undefined) {
    const shown = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
    throw badRequest(`cannot bind token to object of type ${shown}, Kind=${kind}`);
  }
  const home = kind === "Node" ? "" : namespace;
  const object = findObject<Pod | Secret | Node>(core, { group: "", resource }, name, home);
  if (object === undefined) throw notFound({ group: "", resource }, name);
  if (uid !== "" && uid !== object.metadata.uid) {
    throw conflict(
      { group: "", resource: kind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  const binding: TokenBinding = { kind: kind as TokenBinding["kind"], name, uid: object.metadata.uid ?? "" };
  return { binding, ...nodeOf(core, kind === "Pod" ? object : undefined) };
}

const BINDABLE: ReadonlyMap<string, string> = new Map([
  ["Pod", "pods"],
  ["Secret", "secrets"],
  ["Node", "nodes"],
]);

function nodeOf(core: ApiServerCore, pod: KubeObject | undefined): { node?: { name: string; uid: string } } {
  const nodeName = (pod as Pod | undefined)?.spec.nodeName ?? "";
  if (nodeName === "") return {};
  const node = findObject<Node>(core, { group: "", resource: "nodes" }, nodeName);
  return { node: { name: nodeName, uid: node?.metadata.uid ?? "" } };
}
