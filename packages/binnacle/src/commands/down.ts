import { runningOwner } from "@binnacle/cluster";
import { Command } from "commander";
import { parseDuration } from "../flags/parse-duration.ts";
import { addWhichCluster, dataDirectoryFrom, type WhichClusterFlags } from "../flags/which-cluster.ts";
import type { Terminal } from "../terminal.ts";
import { stopProcess } from "./stop-process.ts";

interface DownFlags extends WhichClusterFlags {
  readonly timeout: string;
}

/** `binnacle down`: stops a cluster and waits until it has stopped. Its state is kept. */
export function downCommand(terminal: Terminal): Command {
  return addWhichCluster(new Command("down"))
    .description("Stop a cluster. Its state is kept for the next start.")
    .option("--timeout <duration>", "how long to wait", "30s")
    .addHelpText("after", "\nExamples:\n  binnacle down\n  binnacle down --name ci\n")
    .action(async (flags: DownFlags) => {
      const timeoutMs = parseDuration(flags.timeout, "--timeout");
      const owner = await runningOwner(dataDirectoryFrom(flags, terminal));
      if (owner === undefined) {
        terminal.out(`cluster ${JSON.stringify(flags.name)} is not running\n`);
        return;
      }
      if (!(await stopProcess(owner, terminal.clock, timeoutMs))) {
        throw new Error(`process ${owner.pid} has not ended within ${flags.timeout}; look at it, or kill it`);
      }
      terminal.out(`cluster ${JSON.stringify(flags.name)} has stopped\n`);
    });
}
