import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { DirectoryInUseError, reasonOf, runningOwner } from "@binnacle/cluster";
import { Command } from "commander";
import {
  addWhichCluster,
  dataDirectoryFrom,
  flagsFor,
  type WhichClusterFlags,
} from "../flags/which-cluster.ts";
import type { Terminal } from "../terminal.ts";

interface ResetFlags extends WhichClusterFlags {
  readonly yes?: boolean;
}

/** `binnacle reset`: removes a cluster's data directory, after asking. */
export function resetCommand(terminal: Terminal): Command {
  return addWhichCluster(new Command("reset"))
    .description("Remove everything a stopped cluster has stored, its keys included.")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", "\nExamples:\n  binnacle reset\n  binnacle reset --name ci --yes\n")
    .action(async (flags: ResetFlags) => {
      const path = dataDirectoryFrom(flags, terminal);
      const owner = await runningOwner(path);
      if (owner !== undefined) throw new DirectoryInUseError(path, owner);
      if (!(await exists(path))) {
        terminal.out(`there is nothing in ${path}\n`);
        return;
      }
      // A mistyped --data-dir must not cost somebody a home folder.
      if (!(await exists(join(path, "store"))) || !(await exists(join(path, "pki")))) {
        throw new Error(`${path} is not the data directory of a cluster: it has no store and pki folders`);
      }
      if (flags.yes !== true && !(await terminal.confirm(`Remove everything in ${path}?`))) {
        throw new Error(
          `nothing was removed; to remove without a question: binnacle reset${flagsFor(flags)} --yes`,
        );
      }
      try {
        await rm(path, { recursive: true });
      } catch (cause) {
        throw new Error(`cannot remove ${path}: ${reasonOf(cause)}`, { cause });
      }
      terminal.out(`removed ${path}\n`);
    });
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // Node's fs errors carry a code.
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
  }
}
