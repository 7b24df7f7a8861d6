import { resolve } from "node:path";
import type { Command } from "commander";
import { dataDirectoryOf } from "../data-directory-path.ts";
import type { Terminal } from "../terminal.ts";
import { parseClusterName } from "./parse-values.ts";

/** The flags that choose among several clusters, the same on every command. */
export interface WhichClusterFlags {
  readonly name: string;
  readonly dataDir?: string;
}

export function addWhichCluster(command: Command): Command {
  return command
    .option("--name <name>", "which cluster", "binnacle")
    .option("--data-dir <dir>", "where its state is kept (default: by name, under $XDG_DATA_HOME/binnacle)");
}

/** The data directory that the flags mean, as an absolute path. */
export function dataDirectoryFrom(flags: WhichClusterFlags, terminal: Terminal): string {
  const name = parseClusterName(flags.name);
  return resolve(flags.dataDir ?? dataDirectoryOf(terminal, name));
}

/** The flags again, to tell a person which command to type. Empty for the default cluster. */
export function flagsFor(flags: WhichClusterFlags): string {
  if (flags.dataDir !== undefined) return ` --data-dir ${flags.dataDir}`;
  return flags.name === "binnacle" ? "" : ` --name ${flags.name}`;
}
