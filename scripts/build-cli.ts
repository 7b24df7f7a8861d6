// Bundles the command line into one file, so that it starts fast: `npm run build`.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { collectDescriptions } from "./api-tables/descriptions.ts";

const root = process.cwd();
const outfile = join(root, "packages/binnacle/dist/binnacle.mjs");
mkdirSync(join(root, "packages/binnacle/dist"), { recursive: true });
await build({
  entryPoints: [join(root, "packages/binnacle/src/main.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  conditions: ["source"],
  // Native code, and what is large and rarely needed, stays outside and is loaded when it is.
  external: ["lmdb", "@peculiar/x509", "reflect-metadata", "@clack/prompts"],
  banner: {
    js: '#!/usr/bin/env node\nimport { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
  },
  legalComments: "none",
  logLevel: "warning",
});
chmodSync(outfile, 0o755);
// Texts for `kubectl explain`: taken from the generated client at build time, never committed.
writeFileSync(
  join(root, "packages/binnacle/dist/descriptions.json.gz"),
  gzipSync(JSON.stringify(collectDescriptions(root)), { level: 9 }),
);
