import { reasonOf } from "@binnacle/cluster";
import { Command, CommanderError } from "commander";
import { completionCommand } from "./commands/completion.ts";
import { downCommand } from "./commands/down.ts";
import { kubeconfigCommand } from "./commands/kubeconfig.ts";
import { resetCommand } from "./commands/reset.ts";
import { statusCommand } from "./commands/status.ts";
import { upCommand } from "./commands/up.ts";
import { versionCommand } from "./commands/version.ts";
import type { Terminal } from "./terminal.ts";
import { BINNACLE_VERSION } from "./version.ts";

/** The command line: parses arguments and runs one command. */
export interface Program {
  /** Gives the exit code. Never rejects: failures are printed as one sentence. */
  run(args: readonly string[]): Promise<number>;
}

const EXAMPLES = `
Examples:
  binnacle up                         start a cluster
  export KUBECONFIG=$(binnacle up --detach | sed -n 's/^export KUBECONFIG=//p')
  binnacle status
  binnacle down
`;

export function createProgram(terminal: Terminal): Program {
  return {
    async run(args) {
      let exitCode = 0;
      const root = new Command("binnacle")
        .description("Kubernetes in one command.")
        .version(BINNACLE_VERSION, "--version", "print the version of this program")
        .helpCommand(false)
        .configureOutput({
          writeOut: (text) => terminal.out(text),
          writeErr: (text) => terminal.err(text),
          getOutHelpWidth: () => terminal.columns,
          getErrHelpWidth: () => terminal.columns,
        })
        .exitOverride()
        .showSuggestionAfterError()
        .addHelpText("after", EXAMPLES);
      const commands = [
        upCommand(terminal, args),
        statusCommand(terminal, (code) => {
          exitCode = code;
        }),
        downCommand(terminal),
        resetCommand(terminal),
        kubeconfigCommand(terminal),
        versionCommand(terminal),
        completionCommand(terminal, () => root),
      ];
      for (const command of commands) root.addCommand(command.copyInheritedSettings(root));
      try {
        await root.parseAsync([...args], { from: "user" });
        return exitCode;
      } catch (error) {
        if (error instanceof CommanderError) return error.exitCode;
        terminal.err(`error: ${reasonOf(error)}\n`);
        return 1;
      }
    },
  };
}
