import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClientModels } from "./client-models.ts";
import type { ProtobufFacts } from "./protobuf-facts.ts";
import { renderTables, renderTypes, typesFileName } from "./render.ts";
import { buildTables } from "./type-tables.ts";

/** Where the protobuf facts are kept, relative to the root. */
export const PROTOBUF_FACTS = "scripts/api-tables/protobuf.generated.json";

/** Every generated file of the repository: path relative to the root → text. */
export function generateFiles(root: string): Map<string, string> {
  // The file is written by this script's own --protobuf mode, in this form.
  const facts = JSON.parse(readFileSync(join(root, PROTOBUF_FACTS), "utf8")) as ProtobufFacts;
  const tables = buildTables(facts, new ClientModels(root));
  const folder = "packages/api/src/generated";
  const files = new Map<string, string>([[`${folder}/tables.generated.ts`, renderTables(tables)]]);
  for (const packageName of tables.keys()) {
    files.set(`${folder}/${typesFileName(packageName)}`, renderTypes(packageName, tables));
  }
  return files;
}
