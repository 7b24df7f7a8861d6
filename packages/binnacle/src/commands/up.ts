import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import {
  type ComponentName,
  DataDirectory,
  defaultNodes,
  type NodeTemplate,
  type RunningCluster,
  type ServedClusterOptions,
  startServedCluster,
} from "@binnacle/cluster";
import type { AuthorizationMode } from "@binnacle/kube-apiserver";
import { Command, InvalidArgumentError, Option } from "commander";
import { dataDirectoryOf } from "../data-directory-path.ts";
import { createFileLogger } from "../file-logger.ts";
import { applyManifests, readManifests } from "../manifests.ts";
import { createProgress } from "../progress.ts";
import type { Terminal } from "../terminal.ts";
import * as flags from "./flags.ts";

interface UpFlags {
  name: string;
  dataDir?: string;
  filename: string[];
  nodes: number;
  node: NodeTemplate[];
  securePort: number;
  store: "lmdb" | "memory";
  components?: ComponentName[];
  writeKubeconfig?: string;
  detach: boolean;
  tokenAuthFile?: string;
  clientCaFile?: string;
  tlsCertFile?: string;
  tlsPrivateKeyFile?: string;
  authorizationMode?: AuthorizationMode[];
  enableAdmissionPlugins: string[];
  disableAdmissionPlugins: string[];
  serviceClusterIpRange: string;
  anonymousAuth: boolean;
  bindAddress: string;
  advertiseAddress?: string;
  allowPrivileged: boolean;
  etcdCompactionInterval: number;
}

const EXAMPLES = `
Examples:
  binnacle up                                    a cluster with one node on port 6443
  binnacle up --secure-port 0 -f manifests/      a free port, and apply a directory of manifests
  binnacle up --nodes 3 --detach                 three nodes, in the background
  binnacle up --node name=gpu-1,labels=zone=a,capacity=nvidia.com/gpu=2
`;

/** `binnacle up`: starts a cluster and keeps it running until it is interrupted. */
export function upCommand(terminal: Terminal): Command {
  const collect = (value: string, all: string[]): string[] => [...all, value];
  return new Command("up")
    .description("Start a cluster: API server, controllers, scheduler and simulated nodes in one process.")
    .addHelpText("after", EXAMPLES)
    .option("--name <name>", "which cluster, among several", "binnacle")
    .option("--data-dir <dir>", "where its state is kept (default: by name, in the user's data directory)")
    .option(
      "-f, --filename <path>",
      "apply this file or directory once the server answers; repeatable",
      collect,
      [],
    )
    .option("--nodes <count>", "simulated nodes, called node-1, node-2, …", flags.parseCount, 1)
    .option(
      "--node <node>",
      "a further node: name=…,labels=k=v;…,capacity=r=q;…; repeatable",
      flags.parseNode,
      [],
    )
    .option("--secure-port <port>", "where the server listens; 0: a free port", flags.parsePort, 6443)
    .addOption(
      new Option("--store <store>", "where objects are kept").choices(["lmdb", "memory"]).default("lmdb"),
    )
    .option(
      "--components <list>",
      "apiserver,controller-manager,scheduler,nodes (default: all)",
      flags.parseComponents,
    )
    .option("--write-kubeconfig <file>", "write the kubeconfig to this file too")
    .option("--detach", "return when the server answers and the -f files are applied", false)
    .option("--token-auth-file <file>", 'static tokens: token,user,uid,"group,group" per line')
    .option("--client-ca-file <file>", "a further CA that client certificates may come from")
    .option("--tls-cert-file <file>", "the server's certificate (default: from the cluster's own CA)")
    .option("--tls-private-key-file <file>", "the key of --tls-cert-file")
    .option(
      "--authorization-mode <list>",
      "Node,RBAC,AlwaysAllow,AlwaysDeny (default: Node,RBAC)",
      flags.parseAuthorizationModes,
    )
    .option("--enable-admission-plugins <list>", "admission plugins to turn on", flags.parseList, [])
    .option("--disable-admission-plugins <list>", "admission plugins to turn off", flags.parseList, [])
    .option("--service-cluster-ip-range <cidr>", "addresses of services", "10.96.0.0/16")
    .option(
      "--anonymous-auth <boolean>",
      "let requests without credentials be system:anonymous",
      flags.parseBoolean,
      true,
    )
    .option("--bind-address <address>", "the address to listen on", "127.0.0.1")
    .option("--advertise-address <address>", "the address that clients are told (default: the bind address)")
    .option("--allow-privileged <boolean>", "allow privileged containers", flags.parseBoolean, true)
    .option(
      "--etcd-compaction-interval <duration>",
      "how long history is kept; 0: for ever",
      flags.parseDurationMs,
      600_000,
    )
    .action((given: UpFlags) => (given.detach ? detach(terminal, given) : up(terminal, given)));
}

async function up(terminal: Terminal, given: UpFlags): Promise<void> {
  if ((given.tlsCertFile === undefined) !== (given.tlsPrivateKeyFile === undefined)) {
    throw new InvalidArgumentError("--tls-cert-file and --tls-private-key-file belong together");
  }
  const manifests = await readManifests(given.filename); // Before anything starts: a typo costs nothing.
  const progress = createProgress(terminal);
  let cluster: RunningCluster;
  try {
    cluster = await startServedCluster({ ...(await optionsOf(terminal, given)), onProgress: progress.step });
  } catch (error) {
    progress.fail();
    throw error;
  }
  const interrupted = waitForSignal(terminal);
  try {
    await applyManifests(cluster.client, manifests, (what) => progress.applied(what));
    progress.done({ url: cluster.url, kubeconfig: cluster.kubeconfigPath, name: given.name });
    cluster.componentsReady.catch((error: unknown) =>
      terminal.err(`warning: a component cannot start: ${String(error)}\n`),
    );
    await interrupted;
    progress.stopping();
  } finally {
    await cluster.stop();
  }
}

async function optionsOf(terminal: Terminal, given: UpFlags): Promise<ServedClusterOptions> {
  const dataDirectory = given.dataDir ?? dataDirectoryOf(terminal, given.name);
  const certificate = await flags.readFlagFile("--tls-cert-file", given.tlsCertFile);
  const privateKey = await flags.readFlagFile("--tls-private-key-file", given.tlsPrivateKeyFile);
  const clientCa = await flags.readFlagFile("--client-ca-file", given.clientCaFile);
  return {
    dataDirectory,
    name: given.name,
    securePort: given.securePort,
    store: given.store,
    bindAddress: given.bindAddress,
    nodes: [...defaultNodes(given.nodes), ...given.node],
    logger: createFileLogger(`${dataDirectory}/binnacle.log`),
    ...(given.advertiseAddress === undefined ? {} : { advertiseAddress: given.advertiseAddress }),
    ...(given.components === undefined ? {} : { components: given.components }),
    ...(given.writeKubeconfig === undefined ? {} : { kubeconfigFile: given.writeKubeconfig }),
    ...(certificate === undefined || privateKey === undefined ? {} : { tls: { certificate, privateKey } }),
    ...(clientCa === undefined ? {} : { clientCa }),
    apiServer: {
      tokens: await flags.readTokens(given.tokenAuthFile),
      anonymousAuth: given.anonymousAuth,
      allowPrivileged: given.allowPrivileged,
      serviceClusterIpRange: given.serviceClusterIpRange,
      compactionIntervalMs: given.etcdCompactionInterval,
      enabledAdmissionPlugins: given.enableAdmissionPlugins,
      disabledAdmissionPlugins: given.disableAdmissionPlugins,
      ...(given.authorizationMode === undefined ? {} : { authorizationModes: given.authorizationMode }),
    },
  };
}

/** Resolves at the first SIGINT or SIGTERM; the second ends the process at once. */
function waitForSignal(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (++count === 1) resolve();
        else {
          terminal.err("ended before everything was stopped\n");
          process.exit(130);
        }
      });
    }
  });
}

/** Runs the same command in the background and returns when it says that it is ready. */
async function detach(terminal: Terminal, given: UpFlags): Promise<void> {
  const directory = await DataDirectory.open(given.dataDir ?? dataDirectoryOf(terminal, given.name));
  const log = openSync(directory.logPath, "a", 0o600);
  const child = spawn(
    process.execPath,
    [...process.execArgv, ...process.argv.slice(1).filter((arg) => arg !== "--detach")],
    {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      terminal.out(chunk.toString());
      if (/^export KUBECONFIG=.*\n/m.test(output)) resolve();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once("error", reject);
    child.once("exit", () =>
      reject(new Error(errors.replace(/^error: /, "").trim() || "the cluster ended while starting")),
    );
  });
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
}
