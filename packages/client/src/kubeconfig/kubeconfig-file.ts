import { mkdir, open, readFile, realpath, rename, rm } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { emptyKubeconfig, type Kubeconfig, KubeconfigError, mergeKubeconfigs } from "./kubeconfig.ts";

/**
 * Reads kubeconfig files and joins them; entries of earlier files win. Files that do not exist are left out, as
 * kubectl does. Relative paths inside a file are made absolute against its directory.
 */
export async function loadKubeconfig(paths: readonly string[]): Promise<Kubeconfig> {
  let merged = emptyKubeconfig();
  for (const path of paths) {
    const text = await readIfExists(path);
    if (text === undefined) continue;
    merged = mergeKubeconfigs(merged, resolvePaths(parseKubeconfig(text, path), dirname(resolve(path))));
  }
  return merged;
}

/** The files to read: the parts of the KUBECONFIG variable when it is set, the default path otherwise. */
export function kubeconfigPaths(kubeconfigVariable: string | undefined, defaultPath: string): string[] {
  const parts = (kubeconfigVariable ?? "").split(process.platform === "win32" ? ";" : ":");
  const named = [...new Set(parts.filter((part) => part !== ""))];
  return named.length === 0 ? [defaultPath] : named;
}

/** Reads the text of a kubeconfig. `source` names it in errors. */
export function parseKubeconfig(text: string, source: string): Kubeconfig {
  let value: unknown;
  try {
    value = parse(text, { version: "1.1", maxAliasCount: 0 }) ?? {};
  } catch (cause) {
    throw new KubeconfigError(`${source}: not valid YAML`, { cause });
  }
  if (typeof value !== "object" || Array.isArray(value))
    throw new KubeconfigError(`${source}: a mapping was expected`);
  const raw = value as Partial<Kubeconfig>; // Each list is checked below; entries are checked when they are used.
  if (raw.kind !== undefined && raw.kind !== "Config")
    throw new KubeconfigError(`${source}: kind is ${JSON.stringify(raw.kind)}, not "Config"`);
  const list = <K extends "clusters" | "users" | "contexts">(name: K): Kubeconfig[K] => {
    const entries: unknown = raw[name] ?? [];
    if (!Array.isArray(entries)) throw new KubeconfigError(`${source}: ${name} is not a list`);
    for (const entry of entries as { name?: unknown }[]) {
      if (typeof entry?.name !== "string")
        throw new KubeconfigError(`${source}: an entry of ${name} has no name`);
    }
    return entries as Kubeconfig[K]; // Named entries, which is all a merge needs.
  };
  return { ...raw, clusters: list("clusters"), users: list("users"), contexts: list("contexts") };
}

/** Writes a kubeconfig, readable by its owner only, in one step: readers see the old file or the new one. */
export async function writeKubeconfig(path: string, config: Kubeconfig): Promise<void> {
  const target = await followLink(path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, "w", 0o600);
    try {
      await file.chmod(0o600);
      await file.writeFile(
        stringify({ apiVersion: "v1", kind: "Config", ...config }, { version: "1.1", lineWidth: 0 }),
      );
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Adds entries to the kubeconfig at a path, replacing those of the same names; other entries stay as they are. */
export async function addToKubeconfig(path: string, addition: Kubeconfig): Promise<void> {
  const text = await readIfExists(path);
  const present = text === undefined ? emptyKubeconfig() : parseKubeconfig(text, path);
  await writeKubeconfig(path, mergeKubeconfigs(addition, present));
}

/** Takes the named context, cluster and user out of the kubeconfig at a path. */
export async function removeFromKubeconfig(
  path: string,
  names: { readonly context: string; readonly cluster: string; readonly user: string },
): Promise<void> {
  const text = await readIfExists(path);
  if (text === undefined) return;
  const { "current-context": current, ...rest } = parseKubeconfig(text, path);
  await writeKubeconfig(path, {
    ...rest,
    contexts: rest.contexts.filter((entry) => entry.name !== names.context),
    clusters: rest.clusters.filter((entry) => entry.name !== names.cluster),
    users: rest.users.filter((entry) => entry.name !== names.user),
    ...(current === undefined || current === names.context ? {} : { "current-context": current }),
  });
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Replacing a symbolic link would cut it off from the file that is kept elsewhere. */
async function followLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return resolve(path);
    throw error;
  }
}

function resolvePaths(config: Kubeconfig, directory: string): Kubeconfig {
  const absolute = <K extends string>(entry: { readonly [key in K]?: string }, ...keys: K[]) => {
    const paths: { [key in K]?: string } = {};
    for (const key of keys) {
      const path = entry[key];
      if (path !== undefined && path !== "") paths[key] = isAbsolute(path) ? path : join(directory, path);
    }
    return paths;
  };
  return {
    ...config,
    clusters: config.clusters.map((each) => ({
      ...each,
      cluster: { ...each.cluster, ...absolute(each.cluster ?? {}, "certificate-authority") },
    })),
    users: config.users.map((each) => {
      const user = each.user ?? {};
      const exec = user.exec;
      const hasPath = exec !== undefined && /[/\\]/.test(exec.command) && !isAbsolute(exec.command);
      return {
        ...each,
        user: {
          ...user,
          ...absolute(user, "client-certificate", "client-key", "tokenFile"),
          ...(hasPath ? { exec: { ...exec, command: join(directory, exec.command) } } : {}),
        },
      };
    }),
  };
}
