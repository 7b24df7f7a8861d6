import { MASTERS_GROUP, type UserInfo } from "@binnacle/apiserver";
import {
  Activity,
  type Clock,
  createRealClock,
  createSystemRandom,
  type Logger,
  type Random,
  type Stoppable,
  StopStack,
  silentLogger,
} from "@binnacle/base";
import { type Client, createClient, type Transport } from "@binnacle/client";
import type { CertificateSigner } from "@binnacle/controllers";
import { createKubeApiServer, type KubeApiServer, type KubeApiServerOptions } from "@binnacle/kube-apiserver";
import { createMemoryStorage, type Storage } from "@binnacle/storage";
import { type ComponentName, startComponents } from "./components.ts";
import { createInProcessTransport } from "./in-process-transport.ts";
import type { NodeTemplate } from "./nodes.ts";
import { createServiceAccountKey, type ServiceAccountKey } from "./pki.ts";

/** What a cluster is made of. Everything has a default, so that `createCluster({})` is a working one in memory. */
export interface ClusterOptions {
  /** Default: a new store in memory, stopped with the cluster. */
  readonly storage?: Storage;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: the machine's. */
  readonly random?: Random;
  /** Default: silent. */
  readonly logger?: Logger;
  /** Default: all. The API server always runs. */
  readonly components?: readonly ComponentName[];
  /** Default: one node with 8 CPUs, 16 GiB and 110 pods. */
  readonly nodes?: readonly NodeTemplate[];
  /** Default: a new one. */
  readonly serviceAccountKey?: ServiceAccountKey;
  /** PEM of the CA that clients find in `kube-root-ca.crt`. Default: empty. */
  readonly rootCa?: string;
  /** Signs approved CertificateSigningRequests. Default: they stay unsigned. */
  readonly certificateSigner?: CertificateSigner;
  /** Called when the API server answers and before other components start: the place to open a port. */
  readonly onServer?: (server: KubeApiServer) => Promise<void>;
  readonly apiServer?: Partial<
    Omit<KubeApiServerOptions, "storage" | "clock" | "random" | "logger" | "activity" | "serviceAccountKey">
  >;
}

/** A running cluster in this process. */
export interface Cluster extends Stoppable {
  readonly server: KubeApiServer;
  readonly storage: Storage;
  readonly clock: Clock;
  /** What is under way anywhere in the cluster. */
  readonly activity: Activity;
  /** A transport for somebody; the default is the cluster's administrator. */
  transport(identity?: { readonly user: UserInfo; readonly userAgent?: string }): Transport;
  /** A typed client of the administrator. */
  readonly client: Client;
  /** Resolves when every controller has read what it needs and works. */
  readonly componentsReady: Promise<void>;
}

const ADMIN: UserInfo = { name: "kubernetes-admin", groups: [MASTERS_GROUP] };

/** Starts every component on a ready API server. Does not wait for controllers: see `componentsReady`. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const stack = new StopStack();
  try {
    return await start(options, stack);
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function start(options: ClusterOptions, stack: StopStack): Promise<Cluster> {
  const clock = options.clock ?? createRealClock();
  const random = options.random ?? createSystemRandom();
  const logger = options.logger ?? silentLogger;
  const activity = new Activity();
  const storage = options.storage ?? stack.use(createMemoryStorage({ activity }));
  const server = stack.use(
    await createKubeApiServer({
      ...options.apiServer,
      storage,
      clock,
      random,
      logger,
      activity,
      serviceAccountKey: options.serviceAccountKey ?? createServiceAccountKey(),
    }),
  );
  const transport: Cluster["transport"] = (identity) =>
    createInProcessTransport(server.core, {
      user: identity?.user ?? ADMIN,
      userAgent: identity?.userAgent ?? "binnacle",
    });
  const adminTransport = transport();
  stack.add(() => adminTransport.close());
  await options.onServer?.(server);
  const components = await startComponents({
    names: options.components,
    nodes: options.nodes,
    transport,
    clock,
    random,
    logger,
    activity,
    rootCa: options.rootCa ?? "",
    ...(options.certificateSigner === undefined ? {} : { certificateSigner: options.certificateSigner }),
  });
  stack.add(() => components.stop());
  return {
    server,
    storage,
    clock,
    activity,
    transport,
    client: createClient(adminTransport),
    componentsReady: components.ready,
    stop: () => stack.stop(),
  };
}
