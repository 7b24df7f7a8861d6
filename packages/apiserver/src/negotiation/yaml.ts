import { stringifyJson } from "@binnacle/base";
import { parse, stringify } from "yaml";

/** YAML as sigs.k8s.io/yaml writes it: keys sorted, lists not indented, 1.1 words quoted. */
export function toYaml(value: unknown): string {
  const plain: unknown = parse(stringifyJson(value), { intAsBigInt: true, schema: "json" });
  const text = stringify(plain, {
    version: "1.1",
    sortMapEntries: true,
    lineWidth: 0,
    indentSeq: false,
    aliasDuplicateObjects: false,
  });
  // The library takes a lone dot for a number of YAML 1.1; Go's does not, and managedFields are full of them.
  return text.replace(/^(\s*(?:- )*)"\.":/gm, "$1.:");
}
