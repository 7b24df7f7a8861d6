export { settle } from "./settle.ts";
export { type Manifests, type StartClusterOptions, startCluster, type TestCluster } from "./start-cluster.ts";
