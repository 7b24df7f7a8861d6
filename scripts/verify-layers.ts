// Checks that package.json, tsconfig references and imports agree with layers.json and with each other, that no import
// leaves its package by a path, and that pure packages stay pure: `npm run verify:layers`.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = process.cwd();
const layers = JSON.parse(readFileSync(join(root, "layers.json"), "utf8")) as Record<string, string[]>;
const problems: string[] = [];

/** Packages that do no input or output and read no clock. */
const PURE = new Set(["base", "structured-merge", "apimachinery", "api"]);
const IO_MODULE = /^node:(fs|net|http|http2|https|tls|dgram|child_process|worker_threads)(\/|$)/;
/** The only files that read the machine's time and randomness. */
const SOURCES_OF_TIME = new Set(["packages/base/src/clock.ts", "packages/base/src/random.ts"]);
const RAW_TIME =
  /\bDate\.now\b|\bnew Date\(\)|(?<![.\w])setTimeout\b|(?<![.\w])setInterval\b|\bMath\.random\b|\brandomUUID\b|\bperformance\.now\b/;
/** Certificates are made by a library that signs with WebCrypto; nothing else may. */
const WEBCRYPTO = /\bwebcrypto\b|\bcrypto\.subtle\b/;
const MAKES_CERTIFICATES = new Set([
  "packages/cluster/src/pki.ts",
  "packages/cluster/src/certificate-signer.ts",
]);

for (const [name, allowed] of Object.entries(layers)) {
  const folder = join(root, "packages", name);
  checkReferences(name, folder, allowed);
  const imported = new Set<string>();
  for (const file of sourcesOf(join(folder, "src")))
    for (const each of checkFile(name, file, allowed)) imported.add(each);
  checkManifest(name, folder, allowed, imported);
}
for (const folder of readdirSync(join(root, "packages"))) {
  if (!Object.hasOwn(layers, folder)) problems.push(`packages/${folder} is not in layers.json`);
}
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "layers hold" : `${problems.length} breaches`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** `imported`: what the package's own code, tests aside, takes from others. */
function checkManifest(
  name: string,
  folder: string,
  allowed: readonly string[],
  imported: ReadonlySet<string>,
): void {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    const own = /^@binnacle\/(.+)$/.exec(dependency)?.[1];
    if (own !== undefined && !allowed.includes(own)) problems.push(`${name}/package.json depends on ${own}`);
    if (own === undefined && !imported.has(dependency))
      problems.push(`${name}/package.json depends on ${dependency}, which nothing imports`);
  }
  for (const dependency of imported) {
    if (manifest.dependencies?.[dependency] === undefined)
      problems.push(`${name} imports ${dependency}, which its package.json does not name`);
  }
}

function checkReferences(name: string, folder: string, allowed: readonly string[]): void {
  const config = JSON.parse(readFileSync(join(folder, "tsconfig.json"), "utf8")) as {
    references?: { path: string }[];
  };
  for (const { path } of config.references ?? []) {
    const other = path.replace("../", "");
    if (!allowed.includes(other)) problems.push(`${name}/tsconfig.json references ${other}`);
  }
}

/** Gives the packages that the file imports; none for tests. */
function checkFile(name: string, file: string, allowed: readonly string[]): string[] {
  const imported: string[] = [];
  const path = relative(root, file);
  const text = readFileSync(file, "utf8");
  const isTest = /\.test\.ts$|\/testing\//.test(path);
  for (const [, specifier = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
    const own = /^@binnacle\/([^/]+)/.exec(specifier)?.[1];
    if (
      own !== undefined &&
      own !== name &&
      !allowed.includes(own) &&
      !(isTest && Object.hasOwn(layers, own))
    ) {
      problems.push(`${path} imports ${specifier}`);
    }
    const dependency = /^((?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9.-]*)(?:\/[\w./-]+)?$/.exec(specifier)?.[1];
    if (dependency !== undefined && !specifier.startsWith("node:") && own !== name) imported.push(dependency);
    if (specifier.startsWith(".") && !join(file, "..", specifier).startsWith(join(root, "packages", name))) {
      problems.push(`${path} leaves its package by ${specifier}`);
    }
    if (PURE.has(name) && !isTest && IO_MODULE.test(specifier))
      problems.push(`${path} does input or output: ${specifier}`);
  }
  if (isTest) return [];
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "");
  if (!SOURCES_OF_TIME.has(path) && RAW_TIME.test(code)) {
    problems.push(`${path} reads raw time or randomness: ${RAW_TIME.exec(code)?.[0]}`);
  }
  if (WEBCRYPTO.test(code) && !MAKES_CERTIFICATES.has(path)) problems.push(`${path} uses WebCrypto`);
  if (/\bprocess\.env\b/.test(code) && !path.endsWith("/main.ts")) problems.push(`${path} reads process.env`);
  return imported;
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesOf(path);
    return entry.name.endsWith(".ts") && !entry.name.endsWith(".generated.ts") ? [path] : [];
  });
}
