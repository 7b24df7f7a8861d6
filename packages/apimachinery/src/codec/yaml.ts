import { type JsonValue, setOwn } from "@binnacle/base";
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  Parser,
  type Scalar,
  type SchemaOptions,
  type Tags,
} from "yaml";
import { DecodeError } from "./decode.ts";

export interface ParsedYaml {
  readonly value: JsonValue;
  /** Paths of keys that occur more than once in their map. The last one wins. */
  readonly duplicates: readonly string[];
  /** What upstream says about the duplicates where they are forbidden; undefined without any. */
  readonly strictError?: string;
}

/** Nodes that aliases may stand for in one document, all repetitions counted. */
const MAX_ALIASED_NODES = 100_000;

/**
 * Reads the first YAML document as JSON, as kubectl and the API server do: YAML 1.1 (`yes` is true, `0644` octal), no
 * base-60 numbers, times as text, every key as text. Throws {@link DecodeError}.
 *
 * Source: sigs.k8s.io/yaml YAMLToJSON, goyaml.v2.
 */
export function parseYaml(text: string): ParsedYaml {
  try {
    return new YamlReader(text).read();
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError(`${PREFIX}exceeded max depth`, { cause: error });
    throw error;
  }
}

const PREFIX = "error converting YAML to JSON: yaml: ";

/** goyaml.v2 has neither base-60 numbers nor, into JSON, times, sets and ordered maps. */
const EXCLUDED_TAGS: ReadonlySet<string> = new Set([
  "tag:yaml.org,2002:timestamp",
  "tag:yaml.org,2002:omap",
  "tag:yaml.org,2002:pairs",
  "tag:yaml.org,2002:set",
]);

const SCHEMA: SchemaOptions = {
  schema: "yaml-1.1",
  merge: true,
  customTags: (tags: Tags) =>
    tags.filter(
      (tag) =>
        typeof tag === "string" ||
        !(EXCLUDED_TAGS.has(tag.tag) || ("format" in tag && tag.format === "TIME")),
    ),
};

class YamlReader {
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed | undefined;
  readonly #duplicates: string[] = [];
  readonly #duplicateLines: string[] = [];
  readonly #path: (string | number)[] = [];
  #aliasDepth = 0;
  #aliasedNodes = 0;

  constructor(text: string) {
    this.#document = this.#firstDocument(text);
  }

  read(): ParsedYaml {
    const document = this.#document;
    if (document === undefined || document.contents === null) return { value: null, duplicates: [] };
    const value = this.#value(document.contents);
    if (this.#duplicates.length === 0) return { value, duplicates: [] };
    const strictError = `${PREFIX}unmarshal errors:\n  ${this.#duplicateLines.join("\n  ")}`;
    return { value, duplicates: this.#duplicates, strictError };
  }

  #firstDocument(text: string): Document.Parsed | undefined {
    const composer = new Composer({ version: "1.1", uniqueKeys: false, intAsBigInt: true, ...SCHEMA });
    const parser = new Parser(this.#lines.addNewLine);
    for (const token of parser.parse(text)) {
      for (const document of composer.next(token)) return this.#checked(document);
    }
    for (const document of composer.end(false, text.length)) return this.#checked(document);
    return undefined;
  }

  #checked(document: Document.Parsed): Document.Parsed {
    const error = document.errors[0];
    if (error !== undefined) {
      const { line } = this.#lines.linePos(error.pos[0]);
      throw new DecodeError(`${PREFIX}line ${line}: ${error.message.split("\n")[0]}`);
    }
    return document;
  }

  #value(node: ParsedNode | null): JsonValue {
    if (node === null) return null;
    if (this.#aliasDepth > 0 && ++this.#aliasedNodes > MAX_ALIASED_NODES) {
      throw new DecodeError(`${PREFIX}document contains excessive aliasing`);
    }
    if (isAlias(node)) return this.#aliased(node, (target) => this.#value(target));
    if (isScalar(node)) return scalarValue(node);
    if (isSeq(node)) {
      return node.items.map((item, i) => this.#at(i, () => this.#value(item as ParsedNode | null))); // As parsed.
    }
    if (isMap(node)) return this.#map(node as ParsedNode);
    return null;
  }

  #map(node: ParsedNode): { [key: string]: JsonValue } {
    const out: { [key: string]: JsonValue } = {};
    if (!isMap(node))
      throw new DecodeError(`${PREFIX}map merge requires map or sequence of maps as the value`);
    const merged: { [key: string]: JsonValue }[] = [];
    for (const { key, value } of node.items) {
      const keyNode = key as ParsedNode | null; // Nodes of a parsed document are parsed nodes.
      const valueNode = value as ParsedNode | null;
      if (isScalar(keyNode) && keyNode.type === "PLAIN" && keyNode.source === "<<") {
        merged.push(...this.#merges(valueNode));
        continue;
      }
      const name = this.#key(keyNode);
      const entry = this.#at(name, () => {
        if (Object.hasOwn(out, name)) this.#foundDuplicate(name, keyNode);
        return this.#value(valueNode);
      });
      setOwn(out, name, entry);
    }
    for (const other of merged) {
      for (const [name, entry] of Object.entries(other))
        if (!Object.hasOwn(out, name)) setOwn(out, name, entry);
    }
    return out;
  }

  #merges(node: ParsedNode | null): { [key: string]: JsonValue }[] {
    if (isAlias(node)) return this.#aliased(node, (target) => this.#merges(target));
    if (isSeq(node)) return node.items.flatMap((item) => this.#merges(item as ParsedNode | null)); // As parsed.
    return node === null ? [] : [this.#map(node)];
  }

  #aliased<T>(node: ParsedNode, use: (target: ParsedNode | null) => T): T {
    const target = isAlias(node) ? node.resolve(this.#document!) : undefined; // Only called while reading it.
    if (target === undefined)
      throw new DecodeError(`${PREFIX}unknown anchor '${isAlias(node) ? node.source : ""}' referenced`);
    if (this.#aliasDepth > 100) throw new DecodeError(`${PREFIX}document contains excessive aliasing`);
    this.#aliasDepth++;
    try {
      return use(target as ParsedNode); // Anchors of a parsed document stand on parsed nodes.
    } finally {
      this.#aliasDepth--;
    }
  }

  #key(node: ParsedNode | null): string {
    const value = this.#value(node);
    if (typeof value === "object" && value !== null) throw new DecodeError(`${PREFIX}invalid map key`);
    return String(value);
  }

  #at<T>(part: string | number, run: () => T): T {
    this.#path.push(part);
    try {
      return run();
    } finally {
      this.#path.pop();
    }
  }

  #foundDuplicate(name: string, node: ParsedNode | null): void {
    let path = "";
    for (const part of this.#path) {
      path += typeof part === "number" ? `[${part}]` : path === "" ? part : `.${part}`;
    }
    this.#duplicates.push(path);
    const { line } = this.#lines.linePos(node?.range?.[0] ?? 0);
    this.#duplicateLines.push(`line ${line}: key ${JSON.stringify(name)} already set in map`);
  }
}

function scalarValue(node: Scalar): JsonValue {
  const { value } = node;
  if (typeof value === "bigint") {
    const isSafe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
    // What no 64 bits hold is read as a floating-point number.
    return isSafe || value >= 2n ** 64n || value < -(2n ** 63n) ? Number(value) : value;
  }
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new DecodeError(`error converting YAML to JSON: json: unsupported value: ${node.source ?? value}`);
  }
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1");
  return node.source ?? null;
}
