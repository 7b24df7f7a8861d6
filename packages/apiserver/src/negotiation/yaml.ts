import { stringifyJson } from "@binnacle/base";
import { parse, stringify } from "yaml";

/** YAML as sigs.k8s.io/yaml writes it: keys sorted, lists not indented, 1.1 words quoted. */
export function toYaml(value: unknown): string {
  const plain: unknown = parse(stringifyJson(value), { intAsBigInt: true, schema: "json" });
  return stringify(plain, { version: "1.1", sortMapEntries: true, lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false });
}
