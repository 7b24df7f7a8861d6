export { type Cluster, type ClusterOptions, createCluster } from "./cluster.ts";
export { COMPONENT_NAMES, type ComponentName } from "./components.ts";
export {
  DataDirectory,
  DataDirectoryError,
  DirectoryInUseError,
  reasonOf,
  runningOwner,
} from "./data-directory.ts";
export { createInProcessTransport } from "./in-process-transport.ts";
export { isRunning, type LockOwner } from "./lock-owner.ts";
export { type ApplyManifestsOptions, applyManifests } from "./manifests/apply-manifests.ts";
export { ManifestError, type ManifestObject, parseManifests } from "./manifests/parse-manifests.ts";
export { defaultNodes, type NodeTemplate } from "./nodes.ts";
export {
  type ClusterPki,
  createPki,
  createServiceAccountKey,
  isUsable,
  type KeyPair,
  type ServiceAccountKey,
} from "./pki.ts";
export {
  type RunningCluster,
  type ServedClusterOptions,
  type StartStep,
  startServedCluster,
} from "./served-cluster.ts";
