// Runs a TypeScript script of this folder: `node scripts/run.mjs NAME [ARGS]`. Node 20 reads no TypeScript,
// so the script is bundled to a temporary module first; packages resolve to their sources.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [name, ...args] = process.argv.slice(2);
if (name === undefined) {
  console.error("usage: node scripts/run.mjs NAME [ARGS]");
  process.exit(2);
}
const root = resolve(here, "..");
const folder = join(root, "node_modules", ".cache", "scripts");
mkdirSync(folder, { recursive: true });
const outfile = join(folder, `${name}.${process.pid}.mjs`);
await build({
  entryPoints: [join(here, `${name}.ts`)],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  conditions: ["source"],
  plugins: [{ name: "packages", setup: keepPackagesExternal }],
  logLevel: "warning",
});
process.argv.splice(1, process.argv.length - 1, join(here, `${name}.ts`), ...args);
process.on("exit", () => rmSync(outfile, { force: true }));
await import(pathToFileURL(outfile).href);

/** Packages are loaded from node_modules as they are; only our own, which have no build output, are bundled. */
function keepPackagesExternal(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
    if (kind === "entry-point" || path.startsWith("@binnacle/")) return undefined;
    return { path, external: true };
  });
}
