// Makes tarballs that install elsewhere: `npm run pack [-- --out FOLDER] [--check]`. Every package is compiled to
// JavaScript with its declarations; `--check` installs all of them in an empty folder and uses what is there.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { buildFirst } from "./build-first.ts";
import { readFlags } from "./script-flags.ts";

const USAGE = `usage: npm run pack [-- --out FOLDER] [--check]

  --out FOLDER   where the tarballs go (default tarballs)
  --check        install all of them in an empty folder and use what is there`;

const { values } = readFlags(USAGE, {
  out: { type: "string", default: "tarballs" },
  check: { type: "boolean", default: false },
});
const root = process.cwd();
const out = resolve(root, values.out);
const cache = join(root, "node_modules/.cache/pack");
rmSync(cache, { recursive: true, force: true });
rmSync(out, { recursive: true, force: true });
mkdirSync(cache, { recursive: true });
mkdirSync(out, { recursive: true });

buildFirst();
compile();
const names: string[] = [];
const tarballs = readdirSync(join(root, "packages")).map(pack);
console.log(`packed ${tarballs.length} packages into ${relative(root, out) || "."}`);
if (values.check) check();

/** One compilation for all packages, into `packages/NAME/src` below the cache. */
function compile(): void {
  const config = join(cache, "tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: {
        composite: false,
        isolatedDeclarations: false,
        sourceMap: false,
        customConditions: ["source"],
        typeRoots: [join(root, "node_modules/@types")],
        rootDir: root,
        outDir: join(cache, "out"),
      },
      include: [join(root, "packages/*/src/**/*.ts")],
      exclude: [join(root, "packages/*/src/**/*.test.ts")],
    }),
  );
  run(join(root, "node_modules/.bin/tsc"), ["-p", config], root);
}

function pack(name: string): string {
  const source = join(root, "packages", name);
  const stage = join(cache, "stage", name);
  cpSync(join(cache, "out/packages", name, "src"), join(stage, "dist"), { recursive: true });
  // The command line is one file, bundled; it starts faster so.
  if (existsSync(join(source, "dist")))
    cpSync(join(source, "dist"), join(stage, "dist"), { recursive: true });
  for (const file of ["README.md"]) {
    if (existsSync(join(source, file))) cpSync(join(source, file), join(stage, file));
  }
  cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as {
    name: string;
    exports?: Record<string, Record<string, string>>;
  };
  names.push(manifest.name);
  for (const entry of Object.values(manifest.exports ?? {})) delete entry["source"];
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const listed = run("npm", ["pack", "--json", "--pack-destination", out], stage);
  return join(out, (JSON.parse(listed) as { filename: string }[])[0]?.filename ?? "");
}

/** Installs the tarballs in an empty folder, starts the command and loads the libraries from there. */
function check(): void {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-pack-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    run("npm", ["install", "--no-audit", "--no-fund", ...tarballs], folder);
    console.log(run(join(folder, "node_modules/.bin/binnacle"), ["version"], folder).trim());
    const data = join(folder, "data");
    const binnacle = join(folder, "node_modules/.bin/binnacle");
    console.log(run(binnacle, ["up", "--detach", "--secure-port", "0", "--data-dir", data], folder).trim());
    console.log(run(binnacle, ["down", "--data-dir", data], folder).trim());
    for (const name of names) {
      run(process.execPath, ["--input-type=module", "-e", `await import(${JSON.stringify(name)})`], folder);
      console.log(`${name} loads`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1e8,
  });
}
