import { Command } from "commander";
import { bashCompletion, type CompletionSpec, fishCompletion, zshCompletion } from "../completion/scripts.ts";
import { parseChoice } from "../flags/parse-values.ts";
import type { Terminal } from "../terminal.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** `binnacle completion`: prints a script for a shell. `root` gives the commands to complete. */
export function completionCommand(terminal: Terminal, root: () => Command): Command {
  return new Command("completion")
    .description("Print a script that completes commands and flags in a shell.")
    .argument("<shell>", SHELLS.join(", "))
    .addHelpText(
      "after",
      [
        "\nExamples:",
        "  source <(binnacle completion bash)",
        '  binnacle completion zsh > "${fpath[1]}/_binnacle"',
        "  binnacle completion fish > ~/.config/fish/completions/binnacle.fish\n",
      ].join("\n"),
    )
    .action((shell: string) => {
      const spec = specOf(root());
      switch (parseChoice(shell, "completion", SHELLS)) {
        case "bash":
          terminal.out(bashCompletion(spec));
          break;
        case "zsh":
          terminal.out(zshCompletion(spec));
          break;
        case "fish":
          terminal.out(fishCompletion(spec));
          break;
      }
    });
}

function specOf(root: Command): CompletionSpec {
  return root.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    words: command.name() === "completion" ? SHELLS : [],
    flags: [
      ...command.options.map(({ long, description, required }) => ({
        name: long ?? "",
        description,
        takesValue: required,
        takesPath: /-file$|^--(filename|data-dir|write-kubeconfig)$/.test(long ?? ""),
      })),
      { name: "--help", description: "show help", takesValue: false, takesPath: false },
    ],
  }));
}
