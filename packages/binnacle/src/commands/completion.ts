import { Argument, Command } from "commander";
import type { Terminal } from "../terminal.ts";

/** `binnacle completion`: a script that completes commands and flags. */
export function completionCommand(terminal: Terminal, root: () => Command): Command {
  return new Command("completion")
    .description("Print a completion script for a shell.")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      "\nExamples:\n  source <(binnacle completion bash)\n  binnacle completion fish > ~/.config/fish/completions/binnacle.fish\n",
    )
    .action((shell: "bash" | "zsh" | "fish") => {
      const words = new Map<string, string[]>();
      for (const command of root().commands) {
        words.set(
          command.name(),
          command.options.map(({ long }) => long ?? "").filter((flag) => flag !== ""),
        );
      }
      terminal.out(shell === "fish" ? fish(words) : bash(words, shell === "zsh"));
    });
}

function bash(words: ReadonlyMap<string, readonly string[]>, isZsh: boolean): string {
  const cases = [...words].map(([name, flags]) => `    ${name}) words="${flags.join(" ")}" ;;`).join("\n");
  const head = isZsh ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return `${head}_binnacle() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases}
    *) words="${[...words.keys()].join(" ")}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _binnacle binnacle
`;
}

function fish(words: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...words.keys()].map((name) => `complete -c binnacle -n __fish_use_subcommand -a ${name}`);
  for (const [name, flags] of words) {
    for (const flag of flags) {
      lines.push(
        `complete -c binnacle -n "__fish_seen_subcommand_from ${name}" -l ${flag.replace(/^--/, "")}`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}
