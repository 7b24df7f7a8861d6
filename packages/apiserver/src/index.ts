export {
  type AdmissionAttributes,
  type AdmissionOperation,
  type AdmissionPlugin,
  admitPosted,
} from "./admission/admission.ts";
export type { AuthenticationResult, Authenticator } from "./authentication/authenticator.ts";
export type { AuthorizationAttributes, Authorizer, Decision } from "./authorization/authorizer.ts";
export { type DiscoveryOptions, discoveryHandler } from "./discovery/discovery.ts";
export type { DiscoveryOrder } from "./discovery/groups.ts";
export { deleteObject } from "./endpoints/delete.ts";
export { readDeleteOptions } from "./endpoints/delete-options.ts";
export {
  encodeObject,
  mustFind,
  negotiateFor,
  respondTransformed,
  respondWith,
  respondWithValue,
} from "./endpoints/get.ts";
export { type ObjectSubresource, objectSubresource } from "./endpoints/object-subresource.ts";
export { ownedBy, type UpdatePlan, updateStored } from "./endpoints/update.ts";
export { FlowControl } from "./flow-control/flow-control.ts";
export { type HttpServer, type HttpServerOptions, startHttpServer } from "./http/http-server.ts";
export {
  type InProcessRequest,
  type InProcessResponse,
  type InProcessWatcher,
  requestInProcess,
  watchInProcess,
} from "./in-process.ts";
export { withTypeFirst } from "./negotiation/encode.ts";
export type { Descriptions } from "./openapi/definitions.ts";
export { OpenApi, type OpenApiOptions } from "./openapi/openapi.ts";
export { denied } from "./pipeline/authorize.ts";
export { methodNotAllowed, pageNotFound, routeNotFound } from "./pipeline/dispatch.ts";
export { PathTable } from "./pipeline/path-table.ts";
export type { ApiServerCore, PathHandler, SharedSchemas } from "./registry/api-server-core.ts";
export type {
  HookContext,
  ResourceHooks,
  SubresourceContext,
  SubresourceHandler,
  Undo,
} from "./registry/resource-hooks.ts";
export {
  convertFromHub,
  keyOf,
  ResourceRegistry,
  type ServedResource,
} from "./registry/resource-registry.ts";
export { encodeForStore, objectOf } from "./registry/stored-object.ts";
export { type ApiResponse, objectResponse, type ResponseContent } from "./request/api-response.ts";
export {
  addWarning,
  type PeerCertificate,
  type RequestBody,
  type RequestContext,
  type RequestHeaders,
} from "./request/request-context.ts";
export { isTrue, parseRequestInfo, type RequestInfo } from "./request/request-info.ts";
export {
  ANONYMOUS,
  AUTHENTICATED_GROUP,
  asAuthenticated,
  MASTERS_GROUP,
  type UserInfo,
} from "./request/user-info.ts";
export { WatchHub } from "./watch-cache/watch-hub.ts";
export { commitWrites } from "./write-path/commit.ts";
export { decodeBody, type ExpectedKind } from "./write-path/decode.ts";
export { trackUpdate } from "./write-path/managed-fields.ts";
export { toTime } from "./write-path/prepare.ts";
export { parseWriteOptions, type WriteOptions } from "./write-path/write-options.ts";
