import { Command, CommanderError } from "commander";
import { upCommand } from "./commands/up.ts";
import type { Terminal } from "./terminal.ts";

/** The command line: parses arguments and runs one command. */
export interface Program {
  /** Gives the exit code. Never rejects: failures are printed as one sentence. */
  run(args: readonly string[]): Promise<number>;
}

export function createProgram(terminal: Terminal): Program {
  return {
    async run(args) {
      const program = new Command("binnacle")
        .description("Kubernetes in one command.")
        .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
        .exitOverride()
        .showHelpAfterError("(see: binnacle --help)");
      program.addCommand(upCommand(terminal).copyInheritedSettings(program));
      try {
        await program.parseAsync([...args], { from: "user" });
        return 0;
      } catch (error) {
        if (error instanceof CommanderError) return error.exitCode;
        terminal.err(`error: ${error instanceof Error ? error.message : String(error)}\n`);
        return 1;
      }
    },
  };
}
