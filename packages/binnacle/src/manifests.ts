import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { isStatusError, type UnstructuredObject } from "@binnacle/apimachinery";
import { type Client, type DiscoverySnapshot, fetchDiscovery } from "@binnacle/client";
import { parseAllDocuments } from "yaml";

/** A manifest and where it came from. */
export interface Manifest {
  readonly object: UnstructuredObject;
  /** Such as `app.yaml, document 2`. */
  readonly source: string;
}

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** Reads files, and the manifests of directories in order of their names. Errors name the file and the document. */
export async function readManifests(paths: readonly string[]): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const path of paths)
    for (const file of await filesOf(path)) manifests.push(...(await readFileManifests(file)));
  return manifests;
}

async function filesOf(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path)).filter((name) => EXTENSIONS.has(extname(name))).sort();
    return names.map((name) => join(path, name));
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT"; // Node's fs errors carry a code.
    throw new Error(`cannot read ${path}: ${isMissing ? "no such file or directory" : String(cause)}`, {
      cause,
    });
  }
}

async function readFileManifests(file: string): Promise<Manifest[]> {
  const text = await readFile(file, "utf8");
  const manifests: Manifest[] = [];
  for (const [index, document] of parseAllDocuments(text, { version: "1.1" }).entries()) {
    const source = `${file}, document ${index + 1}`;
    const problem = document.errors[0];
    if (problem !== undefined) throw new Error(`${source}: ${problem.message.split("\n")[0]}`);
    const value: unknown = document.toJS();
    if (value === null || value === undefined) continue;
    for (const object of itemsOf(value)) manifests.push({ object: checkManifest(object, source), source });
  }
  return manifests;
}

/** A List is its items. */
function itemsOf(value: unknown): unknown[] {
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  return kind === "List" && Array.isArray(items) ? items : [value];
}

function checkManifest(value: unknown, source: string): UnstructuredObject {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<UnstructuredObject>;
  if (typeof apiVersion !== "string" || typeof kind !== "string")
    throw new Error(`${source}: apiVersion and kind are needed`);
  if (typeof metadata !== "object" || typeof metadata.name !== "string")
    throw new Error(`${source}: metadata.name is needed`);
  return value as UnstructuredObject; // An object with the fields that were just checked.
}

/** Kinds that others need come first; the rest keeps its order. */
const FIRST: readonly string[] = [
  "Namespace",
  "CustomResourceDefinition",
  "StorageClass",
  "PriorityClass",
  "ServiceAccount",
  "Secret",
  "ConfigMap",
];

/** Applies manifests as the field manager `binnacle`, taking fields over. Errors name the manifest. */
export async function applyManifests(
  client: Client,
  manifests: readonly Manifest[],
  onApplied: (what: string) => void,
): Promise<void> {
  const rank = ({ object }: Manifest): number => {
    const at = FIRST.indexOf(object.kind ?? "");
    return at < 0 ? FIRST.length : at;
  };
  const ordered = [...manifests].sort((a, b) => rank(a) - rank(b));
  let discovery = await fetchDiscovery(client.transport);
  for (const manifest of ordered) {
    if (discovery.forObject(manifest.object) === undefined)
      discovery = await fetchDiscovery(client.transport);
    await applyOne(client, discovery, manifest);
    onApplied(`${(manifest.object.kind ?? "").toLowerCase()}/${manifest.object.metadata.name}`);
  }
}

async function applyOne(client: Client, discovery: DiscoverySnapshot, manifest: Manifest): Promise<void> {
  const { object, source } = manifest;
  const type = discovery.forObject(object);
  if (type === undefined)
    throw new Error(`${source}: the server has no kind ${object.kind} in ${object.apiVersion}`);
  const namespace = type.namespaced ? (object.metadata.namespace ?? "default") : undefined;
  const placed = {
    ...object,
    metadata: { ...object.metadata, ...(namespace === undefined ? {} : { namespace }) },
  };
  try {
    await client.apply(type, placed, { fieldManager: "binnacle", force: true });
  } catch (error) {
    if (isStatusError(error)) throw new Error(`${source}: ${error.message}`, { cause: error });
    throw error;
  }
}
