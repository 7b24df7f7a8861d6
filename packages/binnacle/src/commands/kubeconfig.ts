import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addToKubeconfig, kubeconfigPaths, parseKubeconfig } from "@binnacle/client";
import { reasonOf } from "@binnacle/cluster";
import { Command } from "commander";
import {
  addWhichCluster,
  dataDirectoryFrom,
  flagsFor,
  type WhichClusterFlags,
} from "../flags/which-cluster.ts";
import type { Terminal } from "../terminal.ts";

interface KubeconfigFlags extends WhichClusterFlags {
  readonly merge?: boolean;
}

/** `binnacle kubeconfig`: prints a cluster's kubeconfig, or merges it into the user's. */
export function kubeconfigCommand(terminal: Terminal): Command {
  return addWhichCluster(new Command("kubeconfig"))
    .description("Print a cluster's kubeconfig.")
    .option("--merge", "add it to $KUBECONFIG or ~/.kube/config and make it the current context instead")
    .addHelpText("after", "\nExamples:\n  binnacle kubeconfig > ci.yaml\n  binnacle kubeconfig --merge\n")
    .action(async (flags: KubeconfigFlags) => {
      const path = join(dataDirectoryFrom(flags, terminal), "kubeconfig");
      const text = await readOwn(path, flags);
      if (flags.merge !== true) {
        terminal.out(text);
        return;
      }
      const [target = ""] = kubeconfigPaths(
        terminal.env["KUBECONFIG"],
        join(terminal.home, ".kube", "config"),
      );
      const config = parseKubeconfig(text, path);
      await addToKubeconfig(target, config);
      terminal.out(`context ${JSON.stringify(config["current-context"])} is the current one in ${target}\n`);
    });
}

async function readOwn(path: string, flags: WhichClusterFlags): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") {
      throw new Error(
        `cluster ${JSON.stringify(flags.name)} has not been started yet; start it with: binnacle up${flagsFor(flags)}`,
        { cause },
      );
    }
    throw new Error(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}
