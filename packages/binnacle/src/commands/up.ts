import { reasonOf } from "@binnacle/cluster";
import { Command } from "commander";
import { addWhichCluster, dataDirectoryFrom } from "../flags/which-cluster.ts";
import type { Terminal } from "../terminal.ts";
import { startDetached } from "../up/detach.ts";
import { readUpFlags } from "../up/read-flags.ts";
import { runCluster } from "../up/run-cluster.ts";
import type { UpFlags } from "../up/up-flags.ts";

const EXAMPLES = `
Examples:
  binnacle up                                  a cluster with one node on port 6443
  binnacle up --nodes 3 -f manifests/          three nodes, and everything in a folder
  binnacle up --name ci --secure-port 0 --store memory --detach
  binnacle up --node 'name=gpu-1,labels=accelerator=a100;zone=a,capacity=cpu=64;nvidia.com/gpu=8'
  binnacle up --components apiserver           an API server alone
`;

const collect = (value: string, previous: readonly string[] = []): string[] => [...previous, value];

/** `binnacle up`: starts a cluster and keeps it running until it is interrupted. `args` are those of the program. */
export function upCommand(terminal: Terminal, args: readonly string[]): Command {
  const command = new Command("up")
    .description("Start a cluster, and run it until it is interrupted.")
    .option("-f, --filename <path>", "apply a manifest, or those in a folder; may be repeated", collect)
    .option("--nodes <count>", "how many simulated nodes (default: 1, or 0 when there is a --node)")
    .option(
      "--node <spec>",
      "one more node: name=N,labels=K=V;K=V,capacity=cpu=4;nvidia.com/gpu=1; may be repeated",
      collect,
    )
    .option("--store <store>", "lmdb, or memory, which keeps nothing", "lmdb")
    .option(
      "--components <list>",
      "some of apiserver,controller-manager,scheduler,nodes (default: all)",
      collect,
    )
    .option("--write-kubeconfig <file>", "write the kubeconfig here too")
    .option("--detach", "return when the cluster is ready, and leave it running");
  addWhichCluster(command);
  return addKubeFlags(command)
    .addHelpText("after", EXAMPLES)
    .action(async (flags: UpFlags) => {
      try {
        const plan = await readUpFlags(flags, terminal);
        if (flags.detach === true && terminal.tellParent === undefined) {
          await startDetached(args, dataDirectoryFrom(flags, terminal), terminal);
        } else {
          await runCluster(plan, terminal);
        }
      } catch (error) {
        terminal.tellParent?.({ kind: "failed", message: reasonOf(error) });
        throw error;
      }
    });
}

/** Flags with the names and meanings of kube-apiserver's. */
function addKubeFlags(command: Command): Command {
  return command
    .option("--secure-port <port>", "listen here; 0: on a free one", "6443")
    .option("--bind-address <address>", "listen on this address", "127.0.0.1")
    .option(
      "--advertise-address <address>",
      "what clients are told, in the kubeconfig and the endpoints of the service kubernetes (default: the bind address)",
    )
    .option("--tls-cert-file <file>", "the server's certificate (default: one of the cluster's own CA)")
    .option("--tls-private-key-file <file>", "its key")
    .option("--client-ca-file <file>", "accept client certificates of this CA too")
    .option("--token-auth-file <file>", 'static tokens, a line each: token,user,uid,"group,group"')
    .option("--anonymous-auth [bool]", "let requests without credentials be system:anonymous (default: true)")
    .option(
      "--authorization-mode <list>",
      "some of Node,RBAC,AlwaysAllow,AlwaysDeny (default: Node,RBAC)",
      collect,
    )
    .option("--enable-admission-plugins <list>", "besides those that are on", collect)
    .option("--disable-admission-plugins <list>", "of those that are on", collect)
    .option("--allow-privileged [bool]", "let containers be privileged (default: true)")
    .option("--service-cluster-ip-range <cidr>", "where services get addresses", "10.96.0.0/16")
    .option("--etcd-compaction-interval <duration>", "how long history is kept; 0: for ever (default: 10m)");
}
