// Runs the end-to-end tests with the real clients of several Kubernetes versions: `npm run test:clients [-- v27 v36]`.
import { spawnSync } from "node:child_process";
import { buildFirst } from "./build-first.ts";
import { CLIENT_VERSIONS, type ClientVersion, fetchClients } from "./kubectl/fetch.ts";

const chosen = process.argv.slice(2);
const versions = chosen.length === 0 ? CLIENT_VERSIONS : chosen;
const failed: string[] = [];
buildFirst();
for (const version of versions) {
  await fetchClients(version as ClientVersion); // Unknown versions are refused by name.
  console.log(`\n== clients of ${version}`);
  const { status } = spawnSync("npx", ["vitest", "run", "test/e2e", "--reporter=dot"], {
    stdio: "inherit",
    env: { ...process.env, BINNACLE_CLIENTS: version },
  });
  if (status !== 0) failed.push(version);
}
console.log(failed.length === 0 ? `all of ${versions.join(", ")} pass` : `failed with ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
