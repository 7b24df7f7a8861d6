import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Descriptions } from "@binnacle/apiserver";

type Texts = Readonly<
  Record<string, { readonly text?: string; readonly fields?: Readonly<Record<string, string>> }>
>;

/** Where the build puts the texts: beside the bundle. */
const FILE = new URL("./descriptions.json.gz", import.meta.url);

let loaded: Promise<Descriptions | undefined> | undefined; // Read once per process: the file is part of the program.

/**
 * The texts of `kubectl explain`, read when the first document is asked for. Undefined when the program was not
 * built, as in tests: documents then have no descriptions.
 */
export function loadDescriptions(): Promise<Descriptions | undefined> {
  loaded ??= read();
  return loaded;
}

async function read(): Promise<Descriptions | undefined> {
  let packed: Buffer;
  try {
    packed = await readFile(FILE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // Node's fs errors carry a code.
    throw error;
  }
  const texts = JSON.parse((await promisify(gunzip)(packed)).toString("utf8")) as Texts; // Written by the build.
  return { of: (definition) => (Object.hasOwn(texts, definition) ? texts[definition] : undefined) };
}
