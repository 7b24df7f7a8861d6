import { readFile } from "node:fs/promises";
import { type ComponentName, defaultNodes, startServedCluster } from "@binnacle/cluster";
import { type AuthorizationMode, parseTokenFile } from "@binnacle/kube-apiserver";
import { Command } from "commander";
import { dataDirectoryOf } from "../data-directory-path.ts";
import type { Terminal } from "../terminal.ts";

interface UpFlags {
  name: string;
  nodes: string;
  securePort: string;
  dataDir?: string;
  store: "lmdb" | "memory";
  components?: string;
  writeKubeconfig?: string;
  tokenAuthFile?: string;
  authorizationMode?: string;
  bindAddress: string;
}

/** `binnacle up`: starts a cluster and keeps it running until it is interrupted. */
export function upCommand(terminal: Terminal): Command {
  return new Command("up")
    .description("Start a cluster.")
    .option("--name <name>", "which cluster", "binnacle")
    .option("--nodes <count>", "simulated nodes", "1")
    .option("--secure-port <port>", "0: a free one", "6443")
    .option("--data-dir <dir>", "where the state is kept")
    .option("--store <store>", "lmdb or memory", "lmdb")
    .option("--components <list>", "apiserver,controller-manager,scheduler,nodes")
    .option("--write-kubeconfig <file>", "write the kubeconfig here too")
    .option("--token-auth-file <file>", "static tokens")
    .option("--authorization-mode <list>", "Node,RBAC,AlwaysAllow,AlwaysDeny")
    .option("--bind-address <address>", "listen here", "127.0.0.1")
    .action(async (flags: UpFlags) => {
      const tokens =
        flags.tokenAuthFile === undefined ? [] : parseTokenFile(await readFile(flags.tokenAuthFile, "utf8"));
      const cluster = await startServedCluster({
        dataDirectory: flags.dataDir ?? dataDirectoryOf(terminal, flags.name),
        name: flags.name,
        securePort: Number(flags.securePort),
        store: flags.store,
        bindAddress: flags.bindAddress,
        nodes: defaultNodes(Number(flags.nodes)),
        ...(flags.components === undefined
          ? {}
          : { components: flags.components.split(",") as ComponentName[] }),
        ...(flags.writeKubeconfig === undefined ? {} : { kubeconfigFile: flags.writeKubeconfig }),
        apiServer: {
          tokens,
          ...(flags.authorizationMode === undefined
            ? {}
            : { authorizationModes: flags.authorizationMode.split(",") as AuthorizationMode[] }),
        },
      });
      terminal.out(`ready at ${cluster.url}\nexport KUBECONFIG=${cluster.kubeconfigPath}\n`);
      await new Promise<void>((resolve) => {
        process.once("SIGINT", resolve);
        process.once("SIGTERM", resolve);
      });
      await cluster.stop();
    });
}
