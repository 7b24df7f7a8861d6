import type { Command } from "commander";
import { dataDirectoryOf } from "../data-directory-path.ts";
import type { Terminal } from "../terminal.ts";

/** The flags that choose a cluster, on every command but `up`. */
export interface ClusterFlags {
  readonly name: string;
  readonly dataDir?: string;
}

export function withClusterFlags(command: Command): Command {
  return command
    .option("--name <name>", "which cluster, among several", "binnacle")
    .option("--data-dir <dir>", "where its state is kept (default: by name, in the user's data directory)");
}

export function directoryOf(terminal: Terminal, flags: ClusterFlags): string {
  return flags.dataDir ?? dataDirectoryOf(terminal, flags.name);
}
