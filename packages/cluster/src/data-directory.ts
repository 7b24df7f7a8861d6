import { link, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isRunning, type LockOwner } from "./lock-owner.ts";
import type { ClusterPki } from "./pki.ts";

/** Where a cluster keeps what must survive it: keys (mode 0600), the store, and who runs it now. */
export class DataDirectory {
  readonly path: string;
  /** Makes names of temporary files unique within this process. */
  #attempts = 0;

  private constructor(path: string) {
    this.path = path;
  }

  /** Opens or creates a directory. Throws {@link DataDirectoryError} when it cannot be used. */
  static async open(path: string): Promise<DataDirectory> {
    try {
      await makeFolder(path);
      await makeFolder(join(path, "store"));
      await writePrivate(join(path, ".probe"), "");
      await rm(join(path, ".probe"));
    } catch (cause) {
      throw new DataDirectoryError(`cannot write to ${path}: ${reasonOf(cause)}`, { cause });
    }
    return new DataDirectory(path);
  }

  get storePath(): string {
    return join(this.path, "store");
  }

  get kubeconfigPath(): string {
    return join(this.path, "kubeconfig");
  }

  get logPath(): string {
    return join(this.path, "binnacle.log");
  }

  /**
   * The keys of an earlier start; undefined when there are none. The caller holds the lock. Throws {@link DataDirectoryError} when some are
   * missing: they are written all at once, so somebody took them away.
   */
  async readPki(): Promise<ClusterPki | undefined> {
    const folder = join(this.path, "pki");
    try {
      await finishReplacing(folder); // The lock is held: nobody else replaces it now.
      if ((await filesIn(folder)).length === 0) return undefined;
      const read = (name: string): Promise<string> => readFile(join(folder, name), "utf8");
      const pair = async (name: string): Promise<{ certificate: string; privateKey: string }> => ({
        certificate: await read(`${name}.crt`),
        privateKey: await read(`${name}.key`),
      });
      const [ca, server, admin, saKey, saId] = await Promise.all([
        pair("ca"),
        pair("apiserver"),
        pair("admin"),
        read("sa.key"),
        read("sa.id"),
      ]);
      return { ca, server, admin, serviceAccount: { privateKey: saKey, keyId: saId.trim() } };
    } catch (cause) {
      if (codeOf(cause) === "ENOENT") {
        const { path = "" } = cause as NodeJS.ErrnoException;
        throw new DataDirectoryError(
          `${path} is missing: restore it, or remove the folder to get new keys and certificates`,
          { cause },
        );
      }
      throw new DataDirectoryError(`cannot read the keys in ${folder}: ${reasonOf(cause)}`, { cause });
    }
  }

  /** Replaces all keys at once: whoever is killed meanwhile leaves the old ones or the new ones. */
  async writePki(pki: ClusterPki): Promise<void> {
    const folder = join(this.path, "pki");
    const fresh = `${folder}.new`;
    await rm(fresh, { recursive: true, force: true });
    await makeFolder(fresh);
    const write = (name: string, text: string): Promise<void> => writePrivate(join(fresh, name), text);
    for (const [name, pair] of [
      ["ca", pki.ca],
      ["apiserver", pki.server],
      ["admin", pki.admin],
    ] as const) {
      await write(`${name}.crt`, pair.certificate);
      await write(`${name}.key`, pair.privateKey);
    }
    await write("sa.key", pki.serviceAccount.privateKey);
    await write("sa.id", `${pki.serviceAccount.keyId}\n`);
    if ((await filesIn(folder)).length > 0) await rename(folder, `${folder}.old`);
    await rename(fresh, folder);
    await rm(`${folder}.old`, { recursive: true, force: true });
  }

  /**
   * Takes the directory for this process; a second one is refused with {@link DirectoryInUseError}. What a killed
   * process left behind is taken over.
   */
  async lock(owner: LockOwner): Promise<() => Promise<void>> {
    const path = join(this.path, "lock");
    const own = `${path}.${process.pid}-${this.#attempts++}`;
    try {
      // Written elsewhere and linked: whoever finds a lock finds all of it.
      await writePrivate(own, JSON.stringify(owner));
      while (!(await linkIfAbsent(own, path))) {
        await this.#refuseIfHeld(path);
        if (await this.#takeOver(path, own)) break;
      }
    } catch (error) {
      if (error instanceof DataDirectoryError) throw error;
      throw new DataDirectoryError(`cannot lock ${this.path}: ${reasonOf(error)}`, { cause: error });
    } finally {
      await rm(own, { force: true });
    }
    return () => rm(path, { force: true });
  }

  async #refuseIfHeld(path: string): Promise<void> {
    const holder = await readOwner(path);
    if (holder !== undefined && isRunning(holder)) throw new DirectoryInUseError(this.path, holder);
  }

  /** Several processes may find the same stale lock: only the one that gets the guard looks again and replaces it. */
  async #takeOver(path: string, own: string): Promise<boolean> {
    const guard = `${path}.takeover`;
    while (!(await linkIfAbsent(own, guard))) {
      await this.#refuseIfHeld(guard);
      await rm(guard, { force: true }); // Its process was killed within the few steps below.
    }
    try {
      await this.#refuseIfHeld(path);
      await rm(path, { force: true });
      return await linkIfAbsent(own, path);
    } finally {
      await rm(guard, { force: true });
    }
  }

  /** Who holds the directory, whether running or not. */
  async readLock(): Promise<LockOwner | undefined> {
    return readOwner(join(this.path, "lock"));
  }

  /** Adds what became known after the lock was taken. */
  async updateLock(owner: LockOwner): Promise<void> {
    await writePrivate(join(this.path, "lock"), JSON.stringify(owner));
  }
}

/** The directory cannot be used; the message is one clear sentence. */
export class DataDirectoryError extends Error {
  override readonly name: string = "DataDirectoryError";
}

/** Another process runs a cluster on this directory. */
export class DirectoryInUseError extends DataDirectoryError {
  override readonly name = "DirectoryInUseError";
  readonly owner: LockOwner;

  constructor(path: string, owner: LockOwner) {
    const where = owner.server === undefined ? "" : ` at ${owner.server}`;
    super(
      `a cluster is already running on ${path} (process ${owner.pid}${where}); stop it with: binnacle down --data-dir ${path}`,
    );
    this.owner = owner;
  }
}

/** Who runs a cluster on this directory now; undefined when nobody does or there is no such directory. */
export async function runningOwner(path: string): Promise<LockOwner | undefined> {
  const owner = await readOwner(join(path, "lock"));
  return owner !== undefined && isRunning(owner) ? owner : undefined;
}

/** The names in a folder; none when it does not exist. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Takes up where a process was killed while it replaced a folder: the old one is back unless the new one is there. */
async function finishReplacing(folder: string): Promise<void> {
  if ((await filesIn(folder)).length === 0 && (await filesIn(`${folder}.old`)).length > 0)
    await rename(`${folder}.old`, folder);
  await rm(`${folder}.old`, { recursive: true, force: true });
  await rm(`${folder}.new`, { recursive: true, force: true });
}

/** Like `mkdir` with `recursive`, which never ends below /proc, where a folder exists and cannot hold another. */
async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    const found = await stat(at).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (found?.isDirectory() === false)
      throw Object.assign(new Error(`${at} is not a directory`), { code: "ENOTDIR" });
    if (found !== undefined) break;
    missing.push(at);
  }
  for (const at of missing.reverse()) {
    await mkdir(at, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error; // Another process was faster.
    });
  }
}

/** False when there is a file of that name already. */
async function linkIfAbsent(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function readOwner(path: string): Promise<LockOwner | undefined> {
  try {
    const owner: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof owner === "object" && owner !== null && "pid" in owner) return owner as LockOwner; // Written by lock().
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // None, or one that is damaged. A path that ends in a file has none either.
    if (code === "ENOENT" || code === "ENOTDIR" || error instanceof SyntaxError) return undefined;
    throw new DataDirectoryError(`cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Replaces a file in one step, readable by its owner only. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code; // Node's fs errors carry a code; others have none.
}

/** LMDB's errors carry the system's numbers; a write that was cut short by a full disk is EIO to it. */
const LMDB_ENOSPC = 28;
const LMDB_EIO = 5;

/** The part of a system error that a person can act on. */
export function reasonOf(error: unknown): string {
  switch ((error as { code?: unknown }).code) {
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EROFS":
      return "the file system is read-only";
    case "ENOSPC":
    case LMDB_ENOSPC:
      return "no space left on the device";
    case LMDB_EIO:
      return "input/output error; is the disk full?";
    case "ENOTDIR":
      return "a part of the path is not a directory";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
