import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UnstructuredObject } from "@binnacle/apimachinery";
import { type Clock, createRealClock, nextTurn, StopStack, VirtualClock } from "@binnacle/base";
import type { Client } from "@binnacle/client";
import {
  applyManifests,
  type Cluster,
  type ClusterOptions,
  type ComponentName,
  createCluster,
  defaultNodes,
  type NodeTemplate,
  parseManifests,
  startServedCluster,
} from "@binnacle/cluster";
import { settle } from "./settle.ts";

/** YAML or JSON text with any number of documents, or objects. */
export type Manifests = string | readonly UnstructuredObject[];

/** Every setting has a default: `startCluster()` is a whole cluster. */
export interface StartClusterOptions {
  /** Serve HTTPS on a free port of 127.0.0.1, for clients in other processes. Default false. */
  readonly listen?: boolean;
  /** Default: all. The API server always runs. */
  readonly components?: readonly ComponentName[];
  /** How many simulated nodes, or which. Default 1. */
  readonly nodes?: number | readonly NodeTemplate[];
  /** Applied before `startCluster` returns. Default: none. */
  readonly manifests?: Manifests;
  /** `virtual`: time moves only by `clock.advance`. Default: the machine's clock. */
  readonly clock?: "virtual" | Clock;
  /** Settings of the API server, such as admission plugins. */
  readonly apiServer?: ClusterOptions["apiServer"];
}

/** A cluster inside this process, for a test. Stop it with `await using`, or `await cluster.stop()`. */
export interface TestCluster<C extends Clock = Clock> extends AsyncDisposable {
  /** The administrator's client. It calls the server directly, and cannot be told from one that uses HTTP. */
  readonly client: Client;
  /** The cluster's clock; with `clock: "virtual"` it has `advance(ms)`, which settles after each timer. */
  readonly clock: C;
  /** Path of a kubeconfig for kubectl and helm. Undefined unless the cluster listens. */
  readonly kubeconfig: string | undefined;
  /** Everything else about the cluster. */
  readonly cluster: Cluster;
  /** Server-side apply as field manager `envtest`, in the order in which objects need each other. Gives what is stored. */
  apply(manifests: Manifests): Promise<UnstructuredObject[]>;
  /** Resolves when nothing is left to do but what waits for a timer. Exact: nothing is polled. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster in memory and waits until every controller works. */
export async function startCluster(
  options: StartClusterOptions & { readonly clock: "virtual" },
): Promise<TestCluster<VirtualClock>>;
export async function startCluster(options?: StartClusterOptions): Promise<TestCluster>;
export async function startCluster(options: StartClusterOptions = {}): Promise<TestCluster> {
  const stack = new StopStack();
  try {
    return await start(options, stack);
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function start(options: StartClusterOptions, stack: StopStack): Promise<TestCluster> {
  let cluster: Cluster | undefined;
  const settleCluster = (): Promise<void> => (cluster === undefined ? nextTurn() : settle(cluster.activity));
  const clock = clockOf(options, settleCluster);
  const settings: ClusterOptions = {
    clock,
    nodes: typeof options.nodes === "object" ? options.nodes : defaultNodes(options.nodes ?? 1),
    ...(options.components === undefined ? {} : { components: options.components }),
    ...(options.apiServer === undefined ? {} : { apiServer: options.apiServer }),
  };
  let kubeconfig: string | undefined;
  if (options.listen === true) {
    const dataDirectory = await mkdtemp(join(tmpdir(), "binnacle-envtest-"));
    stack.add(() => rm(dataDirectory, { recursive: true, force: true }));
    const served = await startServedCluster({ ...settings, dataDirectory, store: "memory", securePort: 0 });
    kubeconfig = served.kubeconfigPath;
    cluster = served;
  } else {
    cluster = await createCluster(settings);
  }
  const started = stack.use(cluster);
  await started.componentsReady;
  const apply: TestCluster["apply"] = (manifests) =>
    applyManifests(started.client, objectsOf(manifests), { clock, fieldManager: "envtest" });
  if (options.manifests !== undefined) await apply(options.manifests);
  const stop = (): Promise<void> => stack.stop();
  return {
    client: started.client,
    clock,
    kubeconfig,
    cluster: started,
    apply,
    settle: settleCluster,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function clockOf(options: StartClusterOptions, settleCluster: () => Promise<void>): Clock {
  if (options.clock === undefined) return createRealClock();
  if (options.clock !== "virtual") return options.clock;
  // Clients in other processes judge certificates by the machine's time, so they must be made in it.
  const start = options.listen === true ? { startMs: createRealClock().now() } : {};
  return new VirtualClock({ ...start, settle: settleCluster });
}

function objectsOf(manifests: Manifests): ReturnType<typeof parseManifests> {
  if (typeof manifests === "string") return parseManifests(manifests, "manifests");
  return manifests.map((object, index) => ({ object, origin: `manifests, object ${index + 1}` }));
}
