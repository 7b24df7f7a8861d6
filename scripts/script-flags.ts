import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>
>;

/**
 * The flags and words of a script. `--help` prints the usage and ends the process; what is not understood prints one
 * sentence and the usage, and ends it with 2.
 */
export function readFlags<const O extends Options>(
  usage: string,
  options: O,
  form: { readonly words?: boolean } = {},
): Parsed<O> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    const [word] = parsed.positionals;
    if (word !== undefined && form.words !== true) refuse(usage, `unexpected word ${JSON.stringify(word)}`);
    return parsed;
  } catch (error) {
    // Only parseArgs throws here, and says in its first sentence what it did not understand.
    return refuse(usage, String((error as Error).message).split(". ")[0] ?? "");
  }
}

/** Prints why the flags make no sense, and ends the process with 2. */
export function refuse(usage: string, why: string): never {
  console.error(`error: ${why}\n\n${usage}`);
  process.exit(2);
}

/** A flag that is a whole number; undefined when it is not given. */
export function wholeNumber(usage: string, name: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^[0-9]+$/.test(text))
    refuse(usage, `--${name} takes a whole number, not ${JSON.stringify(text)}`);
  return text === undefined ? undefined : Number(text);
}
