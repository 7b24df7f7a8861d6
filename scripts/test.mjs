// Runs every check: `npm test`. Installs what is missing first, so that it works on a fresh clone. The last line counts.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
let passed = 0;
let failed = 0;

function run(title, command, args) {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  return status === 0;
}

function check(title, command, args) {
  if (run(title, command, args)) passed++;
  else {
    failed++;
    console.log(`FAILED: ${title}`);
  }
}

if (!existsSync("node_modules/.package-lock.json")) {
  if (!run("install", "npm", ["ci"])) process.exit(1);
}
check("build", process.execPath, ["scripts/run.mjs", "build-cli"]);
check("types", "npx", ["tsc", "-p", "tsconfig.check.json"]);
check("lint", "npx", ["biome", "check", "."]);
check("layers", process.execPath, ["scripts/run.mjs", "verify-layers"]);
check("size", process.execPath, ["scripts/run.mjs", "verify-size"]);
check("generated files", process.execPath, ["scripts/run.mjs", "update-generated", "--check"]);
check("real clients", process.execPath, ["scripts/run.mjs", "fetch-kubectl", "v36"]);

const report = join(root, "node_modules/.cache/vitest.json");
mkdirSync(dirname(report), { recursive: true });
run("tests", "npx", ["vitest", "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`]);
const results = JSON.parse(readFileSync(report, "utf8"));
passed += results.numPassedTests;
failed += results.numFailedTests;
// A file that cannot be loaded, or that leaves something behind, fails without failing a test.
const brokenFiles = results.testResults.filter(
  ({ status, assertionResults }) =>
    status === "failed" && !assertionResults.some((each) => each.status === "failed"),
);
failed += brokenFiles.length;
for (const { name, assertionResults, message } of results.testResults.filter(
  ({ status }) => status === "failed",
)) {
  console.log(`FAILED: ${name} ${message ?? ""}`);
  for (const each of assertionResults) {
    if (each.status === "failed")
      console.log(
        `  ${each.fullName}\n    ${(each.failureMessages[0] ?? "").split("\n").slice(0, 6).join("\n    ")}`,
      );
  }
}

console.log("\n== recorded behaviour of a real API server");
const golden = spawnSync(process.execPath, ["scripts/run.mjs", "test-golden", "--no-build"], {
  encoding: "utf8",
  maxBuffer: 1e8,
});
console.log(golden.stdout, golden.stderr);
const counts = /golden: ([0-9]+) steps pass, ([0-9]+) lost/.exec(golden.stdout);
passed += Number(counts?.[1] ?? 0);
failed += counts === null ? 1 : Number(counts[2]);

console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
