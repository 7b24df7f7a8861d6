// Runs the end-to-end tests with the real clients of several Kubernetes versions: `npm run test:clients [-- v27 v36]`.
import { spawnSync } from "node:child_process";
import { buildFirst } from "./build-first.ts";
import { CLIENT_VERSIONS, type ClientVersion, fetchClients } from "./kubectl/fetch.ts";
import { readFlags, refuse } from "./script-flags.ts";

const USAGE = `usage: npm run test:clients [-- VERSION …]

  VERSION   ${CLIENT_VERSIONS.join(", ")} (default: all)`;

const { positionals: chosen } = readFlags(USAGE, {}, { words: true });
const versions = chosen.length === 0 ? CLIENT_VERSIONS : chosen.map(versionNamed);
const failed: string[] = [];
buildFirst();
for (const version of versions) {
  await fetchClients(version);
  console.log(`\n== clients of ${version}`);
  const { status } = spawnSync("npx", ["vitest", "run", "test/e2e", "--reporter=dot"], {
    stdio: "inherit",
    env: { ...process.env, BINNACLE_CLIENTS: version },
  });
  if (status !== 0) failed.push(version);
}
console.log(failed.length === 0 ? `all of ${versions.join(", ")} pass` : `failed with ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function versionNamed(name: string): ClientVersion {
  const version = CLIENT_VERSIONS.find((each) => each === name);
  return version ?? refuse(USAGE, `there are no clients of ${JSON.stringify(name)}`);
}
