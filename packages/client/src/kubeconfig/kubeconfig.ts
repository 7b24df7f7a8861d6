/**
 * The kubeconfig file, field by field as it is written.
 *
 * Source: kubernetes v1.36 client-go/tools/clientcmd/api/v1/types.go.
 */
export interface Kubeconfig {
  apiVersion?: string;
  kind?: string;
  preferences?: Record<string, unknown>;
  clusters: NamedCluster[];
  users: NamedUser[];
  contexts: NamedContext[];
  "current-context"?: string;
  extensions?: unknown[];
}

export interface NamedCluster {
  name: string;
  cluster: ClusterEntry;
}

export interface ClusterEntry {
  server?: string;
  "tls-server-name"?: string;
  "insecure-skip-tls-verify"?: boolean;
  /** A file of PEM certificates. */
  "certificate-authority"?: string;
  /** The same inline, in base64. Wins over the file. */
  "certificate-authority-data"?: string;
  "proxy-url"?: string;
  extensions?: unknown[];
}

export interface NamedUser {
  name: string;
  user: UserEntry;
}

export interface UserEntry {
  "client-certificate"?: string;
  "client-certificate-data"?: string;
  "client-key"?: string;
  "client-key-data"?: string;
  token?: string;
  /** Read again from time to time. Wins over `token`. */
  tokenFile?: string;
  as?: string;
  "as-uid"?: string;
  "as-groups"?: string[];
  username?: string;
  password?: string;
  "auth-provider"?: unknown;
  exec?: ExecEntry;
  extensions?: unknown[];
}

/** A program that prints credentials. */
export interface ExecEntry {
  apiVersion: string;
  command: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  installHint?: string;
  provideClusterInfo?: boolean;
  interactiveMode?: "Never" | "IfAvailable" | "Always";
}

export interface NamedContext {
  name: string;
  context: ContextEntry;
}

export interface ContextEntry {
  cluster: string;
  user?: string;
  namespace?: string;
  extensions?: unknown[];
}

/** A kubeconfig that cannot be used, and why. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
}

/** A kubeconfig without entries. */
export function emptyKubeconfig(): Kubeconfig {
  return { apiVersion: "v1", kind: "Config", clusters: [], users: [], contexts: [] };
}

/**
 * Joins two kubeconfigs. Of entries with the same name, and of current contexts, `first`'s is kept: what kubectl does
 * with a list of files.
 */
export function mergeKubeconfigs(first: Kubeconfig, second: Kubeconfig): Kubeconfig {
  const currentContext = first["current-context"] || second["current-context"];
  return {
    ...second,
    ...first,
    clusters: mergeByName(first.clusters, second.clusters),
    users: mergeByName(first.users, second.users),
    contexts: mergeByName(first.contexts, second.contexts),
    ...(currentContext === undefined ? {} : { "current-context": currentContext }),
  };
}

function mergeByName<T extends { readonly name: string }>(first: readonly T[], second: readonly T[]): T[] {
  const names = new Set(first.map((entry) => entry.name));
  return [...first, ...second.filter((entry) => !names.has(entry.name))];
}
