// Files of more than 600 lines must open with the reason: `npm run verify:size`.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const LIMIT = 600;
const root = process.cwd();
let problems = 0;
for (const file of [
  ...sourcesOf(join(root, "packages")),
  ...sourcesOf(join(root, "scripts")),
  ...sourcesOf(join(root, "test")),
]) {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").length;
  if (lines <= LIMIT || /^\/[/*][^\n]*(long|one table|in one file)/i.test(text)) continue;
  console.error(`${relative(root, file)} has ${lines} lines: split it, or say at its top why it is long`);
  problems++;
}
console.log(problems === 0 ? "sizes hold" : `${problems} files are too long`);
process.exitCode = problems === 0 ? 0 : 1;

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ["node_modules", "dist", "golden", "cases"].includes(entry.name) ? [] : sourcesOf(path);
    return entry.name.endsWith(".ts") && !entry.name.endsWith(".generated.ts") ? [path] : [];
  });
}
