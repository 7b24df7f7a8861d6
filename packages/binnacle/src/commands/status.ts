import { nodes, pods } from "@binnacle/api";
import { humanDuration } from "@binnacle/apimachinery";
import { type LockOwner, reasonOf, runningOwner } from "@binnacle/cluster";
import { Command } from "commander";
import { withClusterClient } from "../cluster-client.ts";
import { parseChoice } from "../flags/parse-values.ts";
import {
  addWhichCluster,
  dataDirectoryFrom,
  flagsFor,
  type WhichClusterFlags,
} from "../flags/which-cluster.ts";
import type { Terminal } from "../terminal.ts";

interface StatusFlags extends WhichClusterFlags {
  readonly output: string;
}

interface ClusterStatus {
  readonly name: string;
  readonly running: boolean;
  readonly dataDirectory: string;
  readonly pid?: number;
  readonly server?: string;
  readonly startedAt?: string;
  readonly version?: string;
  readonly nodes?: number;
  readonly pods?: number;
}

/** `binnacle status`: whether a cluster runs, and where. Exit code 3 when it does not, as `systemctl status`. */
export function statusCommand(terminal: Terminal, exitWith: (code: number) => void): Command {
  return addWhichCluster(new Command("status"))
    .description("Tell whether a cluster runs, and where. Exits with 3 when it does not.")
    .option("-o, --output <format>", "text or json", "text")
    .addHelpText("after", "\nExamples:\n  binnacle status\n  binnacle status --name ci -o json\n")
    .action(async (flags: StatusFlags) => {
      const format = parseChoice(flags.output, "--output", ["text", "json"]);
      const dataDirectory = dataDirectoryFrom(flags, terminal);
      const owner = await runningOwner(dataDirectory);
      const status =
        owner === undefined
          ? { name: flags.name, running: false, dataDirectory }
          : await statusOf(owner, { name: flags.name, dataDirectory }, terminal);
      terminal.out(
        format === "json" ? `${JSON.stringify(status, null, 2)}\n` : describe(status, flags, terminal),
      );
      if (!status.running) exitWith(3);
    });
}

async function statusOf(
  owner: LockOwner,
  which: { readonly name: string; readonly dataDirectory: string },
  terminal: Terminal,
): Promise<ClusterStatus> {
  const { pid, server, startedAt } = owner;
  const known = { ...which, running: true, pid, startedAt, ...(server === undefined ? {} : { server }) };
  if (server === undefined) return known; // It is starting: the port is not open yet.
  try {
    return await withClusterClient(which.dataDirectory, terminal.clock, async (client) => {
      const [version, nodeList, podList] = await Promise.all([
        client.send({ method: "GET", path: "/version" }),
        client.listAll(nodes),
        client.listAll(pods),
      ]);
      const { gitVersion } = version as { gitVersion: string }; // What /version answers.
      return { ...known, version: gitVersion, nodes: nodeList.items.length, pods: podList.items.length };
    });
  } catch (cause) {
    throw new Error(`process ${pid} runs the cluster, but ${server} does not answer: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

function describe(status: ClusterStatus, flags: WhichClusterFlags, terminal: Terminal): string {
  if (!status.running) {
    return `cluster ${JSON.stringify(status.name)} is not running; start it with: binnacle up${flagsFor(flags)}\n`;
  }
  const age = humanDuration(terminal.clock.now() - Date.parse(status.startedAt ?? ""));
  const rows = [
    ["cluster", status.name],
    ["state", status.server === undefined ? "starting" : "running"],
    ["server", status.server],
    ["version", status.version],
    ["process", `${status.pid}, for ${age}`],
    ["nodes", status.nodes],
    ["pods", status.pods],
    ["data", status.dataDirectory],
  ];
  return rows
    .filter(([, value]) => value !== undefined)
    .map(([title, value]) => `${String(title).padEnd(9)}${value}\n`)
    .join("");
}
