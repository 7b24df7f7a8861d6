import type { WhichClusterFlags } from "../flags/which-cluster.ts";

/** The flags of `binnacle up`, as they were typed. */
export interface UpFlags extends WhichClusterFlags {
  readonly filename?: readonly string[];
  readonly nodes?: string;
  readonly node?: readonly string[];
  readonly securePort: string;
  readonly store: string;
  readonly components?: readonly string[];
  readonly writeKubeconfig?: string;
  readonly detach?: boolean;
  readonly bindAddress: string;
  readonly advertiseAddress?: string;
  readonly tokenAuthFile?: string;
  readonly clientCaFile?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly authorizationMode?: readonly string[];
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  readonly serviceClusterIpRange: string;
  readonly anonymousAuth?: string | true;
  readonly allowPrivileged?: string | true;
  readonly etcdCompactionInterval?: string;
}
