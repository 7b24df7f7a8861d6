import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ManifestObject, parseManifests, reasonOf } from "@binnacle/cluster";
import { UsageError } from "../flags/usage-error.ts";

/** Source: kubernetes v1.36 cli-runtime/pkg/resource/builder.go, FileExtensions. */
const EXTENSIONS = /\.(json|yaml|yml)$/;

/** Reads files, and the manifests that lie directly in directories, by name. Throws with one clear sentence. */
export async function readManifests(paths: readonly string[]): Promise<ManifestObject[]> {
  const manifests: ManifestObject[] = [];
  for (const path of paths) {
    for (const file of await filesAt(path)) manifests.push(...parseManifests(await readText(file), file));
  }
  return manifests;
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path)).filter((name) => EXTENSIONS.test(name)).sort();
    if (names.length === 0) {
      throw new UsageError(
        `${path} holds no manifest: files ending in .yaml, .yml or .json were expected in it`,
      );
    }
    return names.map((name) => join(path, name));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`cannot read ${path}: ${readReason(cause)}`, { cause });
  }
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (cause) {
    throw new UsageError(`cannot read ${file}: ${readReason(cause)}`, { cause });
  }
}

function readReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException; // Node's errors carry a code.
  if (code === "ENOENT") return "there is no such file";
  return code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : reasonOf(error);
}
