// Writes the generated files: `node scripts/run.mjs update-generated`. With `--check`, fails when that would change
// anything. With `--protobuf FILE`, first takes the protobuf field numbers from FILE (message → field → [number, type]).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateFiles, PROTOBUF_FACTS } from "./api-tables/generate.ts";
import { type ProtobufFacts, reachableMessages } from "./api-tables/protobuf-facts.ts";

const root = process.cwd();
const args = process.argv.slice(2);
const importAt = args.indexOf("--protobuf");
if (importAt >= 0) {
  const source = args[importAt + 1];
  if (source === undefined) throw new Error("--protobuf needs a file");
  const all = JSON.parse(readFileSync(source, "utf8")) as ProtobufFacts; // The form that the option documents.
  const lines = Object.entries(reachableMessages(all)).map(
    ([name, fields]) => `${JSON.stringify(name)}:${JSON.stringify(fields)}`,
  );
  writeFileSync(join(root, PROTOBUF_FACTS), `{\n${lines.join(",\n")}\n}\n`);
}

const changed: string[] = [];
for (const [path, text] of generateFiles(root)) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  changed.push(path);
  if (args.includes("--check")) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
if (changed.length === 0) {
  console.log("generated files are up to date");
} else if (args.includes("--check")) {
  console.error(`out of date: ${changed.join(", ")}\nrun: node scripts/run.mjs update-generated`);
  process.exitCode = 1;
} else {
  console.log(`wrote ${changed.join(", ")}`);
}
