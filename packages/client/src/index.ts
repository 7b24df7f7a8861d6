export {
  type DiscoveredGroup,
  type DiscoveredResource,
  Discovery,
  DiscoverySnapshot,
  fetchDiscovery,
} from "./discovery.ts";
export { inClusterConnection } from "./kubeconfig/in-cluster.ts";
export {
  type ClusterEntry,
  type ContextEntry,
  type ExecEntry,
  emptyKubeconfig,
  type Kubeconfig,
  KubeconfigError,
  mergeKubeconfigs,
  type NamedCluster,
  type NamedContext,
  type NamedUser,
  type UserEntry,
} from "./kubeconfig/kubeconfig.ts";
export {
  addToKubeconfig,
  kubeconfigPaths,
  loadKubeconfig,
  parseKubeconfig,
  removeFromKubeconfig,
  writeKubeconfig,
} from "./kubeconfig/kubeconfig-file.ts";
export { type ConnectOptions, serverConnection } from "./kubeconfig/server-connection.ts";
export {
  type ApplyOptions,
  applyRequest,
  type CallOptions,
  createRequest,
  createSubresourceRequest,
  type DeleteOptions,
  deleteCollectionRequest,
  deleteRequest,
  type GetOptions,
  getRequest,
  type JsonPatchOperation,
  jsonPatch,
  keyOf,
  type ListOptions,
  listRequest,
  mergePatch,
  type ObjectKey,
  type ObjectRef,
  type Patch,
  type PatchOptions,
  patchRequest,
  resourcePath,
  type SelectOptions,
  strategicPatch,
  updateRequest,
  updateSubresourceRequest,
  type WatchOptions,
  type WriteOptions,
  watchRequest,
} from "./requests.ts";
export { type Client, type ClientOptions, createClient } from "./resource-client.ts";
export type { Eviction, Scale, TokenRequest } from "./subresource-types.ts";
export {
  basicAuth,
  bearerToken,
  type CredentialSource,
  type Credentials,
  fixedCredentials,
} from "./transport/credentials.ts";
export {
  createHttpTransport,
  type HttpTransportOptions,
  type ServerConnection,
} from "./transport/http-transport.ts";
export { readJson } from "./transport/read-json.ts";
export type {
  ClientRequest,
  ClientResponse,
  Transport,
  WatchEvent,
  WatchHandler,
  WatchSubscription,
} from "./transport/transport.ts";
