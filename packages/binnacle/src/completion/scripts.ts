/** What can be completed: commands with their flags. */
export type CompletionSpec = readonly {
  readonly name: string;
  readonly description: string;
  /** What may follow the command besides flags. */
  readonly words: readonly string[];
  readonly flags: readonly CompletionFlag[];
}[];

export interface CompletionFlag {
  /** The long form. */
  readonly name: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** The value is a file or folder. */
  readonly takesPath: boolean;
}

/** For bash 3.2 and later, without the bash-completion package. */
export function bashCompletion(spec: CompletionSpec): string {
  const cases = spec
    .map(
      ({ name, words, flags }) =>
        `    ${name}) words="${[...words, ...flags.map((flag) => flag.name)].join(" ")}" ;;`,
    )
    .join("\n");
  const flagsWhere = (wanted: (flag: CompletionFlag) => boolean): string =>
    [...new Set(spec.flatMap(({ flags }) => flags.filter(wanted).map(({ name }) => name)))].join("|");
  return `# bash completion for binnacle
_binnacle() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  case "$previous" in
    -f|${flagsWhere(({ takesPath }) => takesPath)}) COMPREPLY=($(compgen -f -- "$current")); return ;;
    -o|${flagsWhere(({ takesValue, takesPath }) => takesValue && !takesPath)}) return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${spec.map(({ name }) => name).join(" ")} --help --version"
  else
    case "\${COMP_WORDS[1]}" in
${cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _binnacle binnacle
`;
}

/** For zsh's completion system. */
export function zshCompletion(spec: CompletionSpec): string {
  const commands = spec.map(({ name, description }) => `    ${zshWord(`${name}:${description}`)}`).join("\n");
  const cases = spec
    .map(({ name, words, flags }) => {
      const specs = flags.map((flag) => {
        const value = flag.takesValue ? `=:value:${flag.takesPath ? "_files" : " "}` : "";
        const text = flag.description.replaceAll(/[[\]:]/g, " ");
        return zshWord(`*${flag.name}[${text}]${value.replace("=:", ":")}`);
      });
      const operands = words.length === 0 ? [] : [zshWord(`1:word:(${words.join(" ")})`)];
      return `    ${name}) _arguments ${[...operands, ...specs].join(" \\\n      ")} ;;`;
    })
    .join("\n");
  return `#compdef binnacle
_binnacle() {
  local -a commands
  commands=(
${commands}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases}
  esac
}
if [ "$funcstack[1]" = "_binnacle" ]; then _binnacle "$@"; else compdef _binnacle binnacle; fi
`;
}

/** For fish. */
export function fishCompletion(spec: CompletionSpec): string {
  const lines = ["# fish completion for binnacle", "complete -c binnacle -f"];
  for (const { name, description, words, flags } of spec) {
    lines.push(`complete -c binnacle -n __fish_use_subcommand -a ${name} -d ${fishWord(description)}`);
    const when = `-n '__fish_seen_subcommand_from ${name}'`;
    if (words.length > 0) lines.push(`complete -c binnacle ${when} -a '${words.join(" ")}'`);
    for (const flag of flags) {
      const value = flag.takesPath ? " -r -F" : flag.takesValue ? " -x" : "";
      lines.push(
        `complete -c binnacle ${when} -l ${flag.name.slice(2)}${value} -d ${fishWord(flag.description)}`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

function zshWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishWord(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
