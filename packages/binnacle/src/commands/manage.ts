import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createRealClock, sleep } from "@binnacle/base";
import {
  addToKubeconfig,
  createClient,
  createHttpTransport,
  loadKubeconfig,
  serverConnection,
} from "@binnacle/client";
import { DataDirectory, isRunning, type LockOwner } from "@binnacle/cluster";
import { Command } from "commander";
import type { Terminal } from "../terminal.ts";
import { type ClusterFlags, directoryOf, withClusterFlags } from "./cluster-flags.ts";

/** How long `down` waits for a cluster to end by itself. */
const STOP_MS = 15_000;

/** `binnacle status`: whether a cluster runs, where, and how it is. */
export function statusCommand(terminal: Terminal): Command {
  return withClusterFlags(new Command("status"))
    .description("Tell whether a cluster runs, where, and whether it is ready. Exit code 3: it does not run.")
    .addHelpText("after", "\nExamples:\n  binnacle status\n  binnacle status --name other\n")
    .action(async (flags: ClusterFlags) => {
      const directory = directoryOf(terminal, flags);
      const owner = await ownerOf(directory);
      if (owner === undefined) {
        terminal.out(`${flags.name}: not running (${directory})\n`);
        process.exitCode = 3;
        return;
      }
      const health = await healthOf(directory);
      terminal.out(`${flags.name}: running at ${owner.server ?? "?"}, process ${owner.pid}, ${health}\n`);
    });
}

/** `binnacle down`: stops a cluster; its state is kept. */
export function downCommand(terminal: Terminal): Command {
  return withClusterFlags(new Command("down"))
    .description("Stop a running cluster. Its state is kept for the next up.")
    .addHelpText("after", "\nExamples:\n  binnacle down\n  binnacle down --name other\n")
    .action(async (flags: ClusterFlags) => {
      const directory = directoryOf(terminal, flags);
      const owner = await ownerOf(directory);
      if (owner === undefined) {
        terminal.out(`${flags.name}: not running\n`);
        return;
      }
      process.kill(owner.pid, "SIGTERM");
      const clock = createRealClock();
      const deadline = clock.now() + STOP_MS;
      while (isRunning(owner)) {
        if (clock.now() > deadline)
          throw new Error(`process ${owner.pid} does not end; look at ${directory}/binnacle.log`);
        await sleep(clock, 50);
      }
      terminal.out(`${flags.name}: stopped\n`);
    });
}

/** `binnacle reset`: forgets a cluster's state. */
export function resetCommand(terminal: Terminal): Command {
  return withClusterFlags(new Command("reset"))
    .description("Delete everything a stopped cluster has kept: objects, keys, kubeconfig.")
    .option("--yes", "do not ask", false)
    .addHelpText("after", "\nExamples:\n  binnacle reset --yes\n")
    .action(async (flags: ClusterFlags & { yes: boolean }) => {
      const directory = directoryOf(terminal, flags);
      const owner = await ownerOf(directory);
      if (owner !== undefined)
        throw new Error(`${flags.name} is running (process ${owner.pid}); stop it with: binnacle down`);
      if (!existsSync(directory)) {
        terminal.out(`${flags.name}: nothing to delete\n`);
        return;
      }
      if (!existsSync(join(directory, "store")))
        throw new Error(`${directory} is not a data directory; nothing was deleted`);
      if (!flags.yes && !(await confirm(terminal, directory)))
        throw new Error("nothing was deleted; --yes does not ask");
      await rm(directory, { recursive: true, force: true });
      terminal.out(`${flags.name}: deleted ${directory}\n`);
    });
}

/** `binnacle kubeconfig`: prints a cluster's kubeconfig, or adds it to the user's. */
export function kubeconfigCommand(terminal: Terminal): Command {
  return withClusterFlags(new Command("kubeconfig"))
    .description("Print the kubeconfig of a cluster, or add it to ~/.kube/config.")
    .option("--merge", "add it to the first file of KUBECONFIG, or ~/.kube/config", false)
    .addHelpText(
      "after",
      "\nExamples:\n  binnacle kubeconfig > admin.conf\n  binnacle kubeconfig --merge && kubectl config use-context binnacle\n",
    )
    .action(async (flags: ClusterFlags & { merge: boolean }) => {
      const path = join(directoryOf(terminal, flags), "kubeconfig");
      if (!existsSync(path))
        throw new Error(`${flags.name} has no kubeconfig yet; start it with: binnacle up`);
      if (!flags.merge) {
        terminal.out(await readFile(path, "utf8"));
        return;
      }
      const target = terminal.env["KUBECONFIG"]?.split(":")[0] || join(terminal.home, ".kube", "config");
      await addToKubeconfig(target, await loadKubeconfig([path]));
      terminal.out(`added context ${flags.name} to ${target}\n`);
    });
}

async function ownerOf(directory: string): Promise<LockOwner | undefined> {
  if (!existsSync(directory)) return undefined;
  const owner = await (await DataDirectory.open(directory)).readLock();
  return owner !== undefined && isRunning(owner) ? owner : undefined;
}

async function healthOf(directory: string): Promise<string> {
  const clock = createRealClock();
  const connection = await serverConnection(await loadKubeconfig([join(directory, "kubeconfig")]), { clock });
  const transport = createHttpTransport(connection, { clock });
  try {
    await createClient(transport).send({ method: "GET", path: "/readyz" });
    return "ready";
  } catch (error) {
    return `not ready: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await transport.close();
  }
}

async function confirm(terminal: Terminal, directory: string): Promise<boolean> {
  if (!terminal.isInteractive) return false;
  const { confirm: ask } = await import("@clack/prompts"); // Loaded only to ask.
  return (await ask({ message: `Delete ${directory}?` })) === true;
}
