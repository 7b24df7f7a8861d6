import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
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
      await mkdir(path, { recursive: true, mode: 0o700 });
      await mkdir(join(path, "store"), { recursive: true, mode: 0o700 });
      await mkdir(join(path, "pki"), { recursive: true, mode: 0o700 });
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

  /** The keys of an earlier start; undefined when there are none. */
  async readPki(): Promise<ClusterPki | undefined> {
    const read = (name: string): Promise<string> => readFile(join(this.path, "pki", name), "utf8");
    const pair = async (name: string): Promise<{ certificate: string; privateKey: string }> => ({
      certificate: await read(`${name}.crt`),
      privateKey: await read(`${name}.key`),
    });
    try {
      const [ca, server, admin, saKey, saId] = await Promise.all([
        pair("ca"),
        pair("apiserver"),
        pair("admin"),
        read("sa.key"),
        read("sa.id"),
      ]);
      return { ca, server, admin, serviceAccount: { privateKey: saKey, keyId: saId.trim() } };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // Node's fs errors carry a code.
      throw new DataDirectoryError(`cannot read the keys in ${this.path}/pki: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  async writePki(pki: ClusterPki): Promise<void> {
    const write = (name: string, text: string): Promise<void> =>
      writePrivate(join(this.path, "pki", name), text);
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
