import { KUBERNETES_VERSION } from "@binnacle/kube-apiserver";
import { Command, CommanderError } from "commander";
import { completionCommand } from "./commands/completion.ts";
import { downCommand, kubeconfigCommand, resetCommand, statusCommand } from "./commands/manage.ts";
import { upCommand } from "./commands/up.ts";
import type { Terminal } from "./terminal.ts";

/** The version of this program; the Kubernetes version it speaks is another thing. */
export const VERSION = "0.1.0";

/** The command line: parses arguments and runs one command. */
export interface Program {
  /** Gives the exit code. Never rejects: failures are printed as one sentence. */
  run(args: readonly string[]): Promise<number>;
}

export function createProgram(terminal: Terminal): Program {
  return {
    async run(args) {
      const program = createCommands(terminal);
      try {
        await program.parseAsync([...args], { from: "user" });
        return Number(process.exitCode ?? 0);
      } catch (error) {
        if (error instanceof CommanderError) {
          if (error.code === "commander.invalidArgument" && !error.message.startsWith("error:")) {
            terminal.err(`error: ${error.message}\n`);
          }
          return error.exitCode;
        }
        terminal.err(`error: ${error instanceof Error ? error.message : String(error)}\n`);
        return 1;
      }
    },
  };
}

function createCommands(terminal: Terminal): Command {
  const program = new Command("binnacle")
    .description("Kubernetes in one command: a cluster that kubectl, helm and every other client can use.")
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .exitOverride()
    .showHelpAfterError("(see: binnacle --help)")
    .addHelpText(
      "after",
      "\nExamples:\n  binnacle up\n  binnacle up --secure-port 0 -f manifests/\n  binnacle down\n",
    );
  const commands = [
    upCommand(terminal),
    statusCommand(terminal),
    downCommand(terminal),
    resetCommand(terminal),
    kubeconfigCommand(terminal),
    versionCommand(terminal),
    completionCommand(terminal, () => program),
  ];
  for (const command of commands) program.addCommand(command.copyInheritedSettings(program));
  return program;
}

function versionCommand(terminal: Terminal): Command {
  return new Command("version")
    .description("Print the versions of this program and of the Kubernetes it speaks.")
    .action(() => terminal.out(`binnacle ${VERSION}, Kubernetes ${KUBERNETES_VERSION.gitVersion}\n`));
}
