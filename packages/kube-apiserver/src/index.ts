export { parseTokenFile } from "./authentication/token-file.ts";
export {
  type AuthorizationMode,
  createKubeApiServer,
  type KubeApiServer,
  type KubeApiServerOptions,
  type ListenOptions,
} from "./kube-apiserver.ts";
export { firstServiceAddress } from "./service-network/cidr.ts";
export { KUBERNETES_VERSION } from "./version.ts";
