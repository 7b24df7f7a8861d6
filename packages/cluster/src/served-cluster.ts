import { networkInterfaces } from "node:os";
import { isStatusError } from "@binnacle/apimachinery";
import type { HttpServer } from "@binnacle/apiserver";
import { type Clock, createRealClock, createSystemRandom, type Random, StopStack } from "@binnacle/base";
import { type Kubeconfig, writeKubeconfig } from "@binnacle/client";
import { firstServiceAddress, type KubeApiServer, type ListenOptions } from "@binnacle/kube-apiserver";
import { type Storage, StoreCorruptError, WRITE_NOT_DURABLE } from "@binnacle/storage";
import { createCertificateSigner } from "./certificate-signer.ts";
import { type Cluster, type ClusterOptions, createCluster } from "./cluster.ts";
import { DataDirectory, DataDirectoryError, reasonOf } from "./data-directory.ts";
import { ownLock } from "./lock-owner.ts";
import { type ClusterPki, createPki, isUsable, renewLeaves, verifyReadable } from "./pki.ts";

/** A cluster that serves the network and keeps its state in a directory. */
export interface ServedClusterOptions
  extends Omit<ClusterOptions, "storage" | "serviceAccountKey" | "rootCa" | "certificateSigner"> {
  readonly dataDirectory: string;
  /** Default lmdb. */
  readonly store?: "lmdb" | "memory";
  /** Source: --bind-address. Default 127.0.0.1. */
  readonly bindAddress?: string;
  /** Source: --advertise-address: what clients are told. Default: the bind address; see {@link publishedAddress} for endpoints. */
  readonly advertiseAddress?: string;
  /** Source: --secure-port. 0: a free one. Default 6443. */
  readonly securePort?: number;
  /** The name of the cluster, user and context in the kubeconfig. Default binnacle. */
  readonly name?: string;
  /** PEM. Source: --tls-cert-file and --tls-private-key-file. Default: signed by the cluster's own CA. */
  readonly tls?: { readonly certificate: string; readonly privateKey: string };
  /** PEM, besides the cluster's own CA. Source: --client-ca-file. */
  readonly clientCa?: string;
  /** Also written here. */
  readonly kubeconfigFile?: string;
  /** Told about each step as it is done. */
  readonly onProgress?: (step: StartStep) => void;
}

export type StartStep = "keys" | "store" | "apiserver" | "components";

export interface RunningCluster extends Cluster {
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly directory: DataDirectory;
  /** Whether keys had to be made: the directory was new. */
  readonly isFirstStart: boolean;
}

/** Starts a cluster on a data directory. Errors are one clear sentence; what was started is stopped again. */
export async function startServedCluster(options: ServedClusterOptions): Promise<RunningCluster> {
  const stack = new StopStack();
  try {
    return await start(options, stack);
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function start(options: ServedClusterOptions, stack: StopStack): Promise<RunningCluster> {
  const clock = options.clock ?? createRealClock();
  const random = options.random ?? createSystemRandom();
  const directory = await DataDirectory.open(options.dataDirectory);
  const owner = ownLock(clock.now());
  stack.add(await directory.lock(owner));
  const bindAddress = options.bindAddress ?? "127.0.0.1";
  const { pki, isNew } = await loadPki(
    directory,
    { clock, random },
    namesOf(bindAddress, options.advertiseAddress, options.apiServer?.serviceClusterIpRange),
  );
  options.onProgress?.("keys");
  const storage = await openStorage(options, directory, stack);
  options.onProgress?.("store");
  const clientCa = [pki.ca.certificate, options.clientCa ?? ""].join("");
  let url = "";
  const starting = createCluster({
    ...options,
    clock,
    random,
    ...(storage === undefined ? {} : { storage }),
    serviceAccountKey: pki.serviceAccount,
    rootCa: pki.ca.certificate,
    certificateSigner: createCertificateSigner(pki.ca, random),
    apiServer: { ...options.apiServer, clientCa },
    onServer: async (server) => {
      options.onProgress?.("apiserver");
      const http = await listen(server, {
        host: bindAddress,
        port: options.securePort ?? 6443,
        certificate: options.tls?.certificate ?? pki.server.certificate,
        privateKey: options.tls?.privateKey ?? pki.server.privateKey,
        clientCa,
        ...publishedAddress(bindAddress, options.advertiseAddress),
      });
      url = `https://${formatHost(options.advertiseAddress ?? reachable(bindAddress))}:${http.port}`;
      await directory.updateLock({ ...owner, server: url });
      const kubeconfig = adminKubeconfig(options.name ?? "binnacle", url, pki);
      await writeKubeconfig(directory.kubeconfigPath, kubeconfig);
      if (options.kubeconfigFile !== undefined) await writeKubeconfig(options.kubeconfigFile, kubeconfig);
    },
  });
  const cluster = await explainingStore(directory, starting);
  stack.use(cluster);
  options.onProgress?.("components");
  return {
    ...cluster,
    url,
    kubeconfigPath: options.kubeconfigFile ?? directory.kubeconfigPath,
    directory,
    isFirstStart: isNew,
    stop: () => stack.stop(),
  };
}

/** What every cluster has must be written first: a store that takes no writes, as on a full disk, shows here. */
async function explainingStore<T>(directory: DataDirectory, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (cause) {
    // The answer of the server is all there is: the same that any client gets.
    if (!isStatusError(cause) || !cause.message.endsWith(WRITE_NOT_DURABLE)) throw cause;
    throw new DataDirectoryError(`cannot write to the store in ${directory.storePath}: is the disk full?`, {
      cause,
    });
  }
}

async function openStorage(
  options: ServedClusterOptions,
  directory: DataDirectory,
  stack: StopStack,
): Promise<Storage | undefined> {
  if (options.store === "memory") return undefined; // The cluster makes its own.
  const { openLmdbStorage } = await import("@binnacle/storage/lmdb"); // Native code: loaded only when it is used.
  try {
    return stack.use(await openLmdbStorage({ directory: directory.storePath }));
  } catch (cause) {
    if (cause instanceof StoreCorruptError) throw cause; // Its message says what to do.
    throw new DataDirectoryError(`cannot open the store in ${directory.storePath}: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

/** Rejects with one sentence when the port cannot be had. */
async function listen(server: KubeApiServer, options: ListenOptions): Promise<HttpServer> {
  try {
    return await server.listen(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // Node's network errors carry a code.
    const where = `${options.host}:${options.port}`;
    if (code === "EADDRINUSE") {
      throw new Error(
        `port ${options.port} on ${options.host} is taken: choose another with --secure-port, or 0 for a free one`,
        {
          cause: error,
        },
      );
    }
    if (code === "EACCES") throw new Error(`no permission to listen on ${where}`, { cause: error });
    if (code === "EADDRNOTAVAIL")
      throw new Error(`${options.host} is not an address of this machine`, { cause: error });
    throw error;
  }
}

/**
 * What the endpoints of the service `kubernetes` show. Endpoints may not hold loopback addresses, so a server that is
 * bound to one, or to all, is shown at the machine's own address, as upstream does; a machine without a network has none.
 *
 * Source: kubernetes v1.36 apimachinery/pkg/util/net/interface.go, ResolveBindAddress.
 */
function publishedAddress(bindAddress: string, advertiseAddress: string | undefined) {
  const isOwn = !/^(127\.|0\.0\.0\.0$|::1?$)/.test(bindAddress);
  const ip = advertiseAddress ?? (isOwn ? bindAddress : machineAddresses()[0]);
  return ip === undefined ? {} : { advertiseAddress: ip };
}

/** IPv4 before IPv6. */
function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !address.includes("%"))
    .sort((a, b) => a.family.localeCompare(b.family))
    .filter(({ address }) => !/^fe80:|^169\.254\./i.test(address))
    .map(({ address }) => address);
}

interface ServerNames {
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
}

/** What the server's certificate must be good for. Source: kubeadm's default names. */
function namesOf(
  bindAddress: string,
  advertiseAddress: string | undefined,
  serviceRange: string | undefined,
): ServerNames {
  const addresses = new Set(["127.0.0.1", "::1", firstServiceAddress(serviceRange ?? "10.96.0.0/16")]);
  for (const address of [bindAddress, advertiseAddress]) {
    if (address !== undefined && address !== "0.0.0.0" && address !== "::") addresses.add(address);
  }
  if (bindAddress === "0.0.0.0" || bindAddress === "::") {
    for (const address of machineAddresses()) addresses.add(address);
  }
  const hosts = [
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
  ];
  return { hosts, addresses: [...addresses] };
}

async function loadPki(
  directory: DataDirectory,
  sources: { clock: Clock; random: Random },
  names: ServerNames,
): Promise<{ pki: ClusterPki; isNew: boolean }> {
  const known = await directory.readPki();
  if (known === undefined) {
    const pki = await createPki(names, sources);
    await directory.writePki(pki);
    return { pki, isNew: true };
  }
  const nowMs = sources.clock.now();
  refuseDamaged(directory, known);
  const areUsable =
    isUsable(known.server.certificate, names, nowMs) && isUsable(known.admin.certificate, NO_NAMES, nowMs);
  if (areUsable) return { pki: known, isNew: false };
  // Who trusts the CA goes on trusting the server, and tokens of service accounts stay valid.
  const pki = isUsable(known.ca.certificate, NO_NAMES, nowMs)
    ? await renewLeaves(known, names, sources)
    : { ...(await createPki(names, sources)), serviceAccount: known.serviceAccount };
  await directory.writePki(pki);
  return { pki, isNew: false };
}

const NO_NAMES: ServerNames = { hosts: [], addresses: [] };

/** Keys that cannot be read are not replaced: clients trust them. */
function refuseDamaged(directory: DataDirectory, pki: ClusterPki): void {
  try {
    verifyReadable(pki);
  } catch (cause) {
    throw new DataDirectoryError(
      `the keys in ${directory.path}/pki are damaged: restore them, or remove that folder to get new ones`,
      { cause },
    );
  }
}

function adminKubeconfig(name: string, server: string, pki: ClusterPki): Kubeconfig {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": base64(pki.ca.certificate) } }],
    users: [
      {
        name: `${name}-admin`,
        user: {
          "client-certificate-data": base64(pki.admin.certificate),
          "client-key-data": base64(pki.admin.privateKey),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: `${name}-admin` } }],
    "current-context": name,
  };
}

function reachable(bindAddress: string): string {
  if (bindAddress === "0.0.0.0") return "127.0.0.1";
  return bindAddress === "::" ? "::1" : bindAddress;
}

function formatHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
