import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtinSchema, builtinTypeNames } from "@binnacle/api";

type Texts = Record<string, { text?: string; fields?: Record<string, string> }>;

/** The texts of all built-in types and their fields, by OpenAPI definition name, read from the generated client. */
export function collectDescriptions(root: string): Texts {
  const folder = join(root, "node_modules/@kubernetes/client-node/dist/gen/models");
  const texts: Texts = {};
  for (const name of builtinTypeNames()) {
    const [group = "", version = "", type = ""] = name.split(".");
    const prefix = version.charAt(0).toUpperCase() + version.slice(1);
    const candidates = [
      `${group.charAt(0).toUpperCase()}${group.slice(1)}${prefix}${type}`,
      `${prefix}${type}`,
    ];
    const model = candidates.find((candidate) => existsSync(join(folder, `${candidate}.d.ts`)));
    const definition = builtinSchema(name).name;
    if (model === undefined || definition === undefined) continue;
    texts[definition] = parseModel(readFileSync(join(folder, `${model}.d.ts`), "utf8"));
  }
  return texts;
}

function parseModel(code: string): { text?: string; fields?: Record<string, string> } {
  const result: { text?: string; fields?: Record<string, string> } = {};
  const text = /\/\*\*\s*\n\s*\*\s?([\s\S]*?)\s*\*\/\s*export declare class/.exec(
    code.slice(code.indexOf("*/") + 2),
  );
  if (text !== null) result.text = clean(text[1]!);
  for (const [, description, field] of code.matchAll(/\/\*\*\s*\n([\s\S]*?)\*\/\s*\n\s*'([^']+)'\??:/g)) {
    result.fields ??= {};
    const start = description!.lastIndexOf("/**");
    result.fields[field!] = clean(start < 0 ? description! : description!.slice(start + 3));
  }
  return result;
}

function clean(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*\s?/, "").trimEnd())
    .join("\n")
    .replace(/\\(['"])/g, "$1")
    .trim();
}
