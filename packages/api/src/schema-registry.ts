import type {
  Field,
  ListSchema,
  MapSchema,
  ObjectSchema,
  ScalarSchema,
  Schema,
} from "@binnacle/apimachinery";
import { BugError } from "@binnacle/base";
import { servedGroups, typeTables } from "./generated/tables.generated.ts";
import { marksOf } from "./room-marks.ts";

/**
 * The schema of a built-in type by short package and name, such as `core.v1.PodSpec` or `meta.v1.ObjectMeta`.
 * The same name gives the same object. Fields are built when they are first asked for, so naming a schema costs
 * nothing. A name such as `core.v1.PodList` gives the list of a kind.
 */
export function builtinSchema(name: string): ObjectSchema {
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const schema = new TableSchema(name);
  schemas.set(name, schema);
  return schema;
}

/** The names of all built-in types, lists of kinds included, in no particular order. */
export function builtinTypeNames(): readonly string[] {
  const names: string[] = [];
  for (const [packageName, types] of Object.entries(typeTables)) {
    for (const type of Object.keys(types)) names.push(`${packageName}.${type}`);
  }
  for (const { package: packageName, kinds } of servedGroups) {
    for (const kind of kinds) if (isListed(packageName, kind)) names.push(`${packageName}.${kind}List`);
  }
  return names;
}

const schemas = new Map<string, TableSchema>(); // A cache: what it holds depends on the tables alone.

/** Kinds that are only ever sent, never listed. */
const UNLISTED = new Set([
  "core.v1.Binding",
  "autoscaling.v1.Scale",
  "policy.v1.Eviction",
  "authentication.v1.SelfSubjectReview",
  "authentication.v1.TokenRequest",
  "authentication.v1.TokenReview",
  "authorization.v1.LocalSubjectAccessReview",
  "authorization.v1.SelfSubjectAccessReview",
  "authorization.v1.SelfSubjectRulesReview",
  "authorization.v1.SubjectAccessReview",
]);

function isListed(packageName: string, kind: string): boolean {
  return !UNLISTED.has(`${packageName}.${kind}`);
}

/** Types of meta.v1 that go over the wire on their own. */
const META_KINDS = new Set([
  "APIGroup",
  "APIGroupList",
  "APIResourceList",
  "APIVersions",
  "DeleteOptions",
  "Status",
  "WatchEvent",
]);

/** Where OpenAPI names do not follow `io.k8s.api.`. */
const OPENAPI_PACKAGES: Readonly<Record<string, string>> = {
  "meta.v1": "io.k8s.apimachinery.pkg.apis.meta.v1",
  "apiextensions.v1": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
  "apiregistration.v1": "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
};

const APIEXTENSIONS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";

const SCALARS: Readonly<Record<string, ScalarSchema>> = {
  s: { type: "string" },
  b: { type: "boolean" },
  i: { type: "integer", format: "int32" },
  l: { type: "integer", format: "int64" },
  d: { type: "number", format: "double" },
  y: { type: "bytes" },
  q: { type: "quantity" },
  t: { type: "time" },
  u: { type: "microTime" },
  x: { type: "intOrString" },
  a: { type: "any", name: "io.k8s.apimachinery.pkg.runtime.RawExtension" },
  j: { type: "any", name: `${APIEXTENSIONS}.JSON` },
  f: { type: "fieldsV1" },
};

const SCHEMA_OR: Readonly<Record<string, { or: "list" | "boolean" | "strings"; name: string }>> = {
  A: { or: "list", name: `${APIEXTENSIONS}.JSONSchemaPropsOrArray` },
  B: { or: "boolean", name: `${APIEXTENSIONS}.JSONSchemaPropsOrBool` },
  S: { or: "strings", name: `${APIEXTENSIONS}.JSONSchemaPropsOrStringArray` },
};

/** Optional values of these codes are left out when empty; those of all others when missing. */
const OMITTED_WHEN_EMPTY = /^([sbildyW]|\[.*|\{.*)$/;

class TableSchema implements ObjectSchema {
  readonly type = "object";
  readonly name: string;
  readonly goName: string;
  readonly goPackage: string;
  readonly mapType?: "atomic" | "granular";
  readonly group?: readonly { group: string; version: string; kind: string }[];
  readonly unions?: readonly { discriminator?: string; fields: readonly string[] }[];
  readonly #packageName: string;
  #fields: ReadonlyMap<string, Field> | undefined;

  constructor(name: string) {
    const dot = name.lastIndexOf(".");
    this.#packageName = name.slice(0, dot);
    this.goName = name.slice(dot + 1);
    this.goPackage = this.#packageName.slice(this.#packageName.lastIndexOf(".") + 1);
    this.name = `${OPENAPI_PACKAGES[this.#packageName] ?? `io.k8s.api.${this.#packageName}`}.${this.goName}`;
    const own = marksOf(this.#packageName, this.goName)?.["."];
    for (const word of own === undefined ? [] : own.split(" ")) {
      if (word === "atomic" || word === "granular") this.mapType = word;
      const union = /^union\((.*)\)$/.exec(word);
      if (union !== null) {
        const [discriminator = "", ...fields] = union[1]!.split(",");
        this.unions = [discriminator === "" ? { fields } : { discriminator, fields }];
      }
    }
    const served = servedGroups.find((group) => group.package === this.#packageName);
    const kind = this.goName.replace(/List$/, "");
    const isKind = served?.kinds.includes(kind) || served?.kinds.includes(this.goName);
    if (
      served !== undefined &&
      (isKind || (this.#packageName === "meta.v1" && META_KINDS.has(this.goName)))
    ) {
      this.group = [{ group: served.group, version: served.version, kind: this.goName }];
    }
  }

  get fields(): ReadonlyMap<string, Field> {
    this.#fields ??= this.#buildFields();
    return this.#fields;
  }

  #buildFields(): ReadonlyMap<string, Field> {
    const line = this.#line();
    const fields = new Map<string, Field>();
    if (line === "") return fields;
    const marks = marksOf(this.#packageName, this.goName) ?? {};
    const isKind = line.startsWith("kind s, apiVersion s, metadata meta.v1.");
    for (const entry of line.split(", ")) {
      const [name, type, numbers] = entry.split(" ") as [string, string, string | undefined]; // The tables' own form.
      fields.set(
        name,
        buildField({ name, type, numbers, marks: marks[name] ?? "", isKind }, this.#packageName),
      );
    }
    return fields;
  }

  #line(): string {
    const types = typeTables[this.#packageName];
    const line = types?.[this.goName];
    if (line !== undefined) return line;
    const kind = this.goName.replace(/List$/, "");
    if (kind !== this.goName && types?.[kind] !== undefined) {
      return `kind s, apiVersion s, metadata meta.v1.ListMeta 1, items [${kind}]! 2`;
    }
    throw new BugError(`no built-in type ${this.#packageName}.${this.goName}`);
  }
}

interface FieldSource {
  readonly name: string;
  readonly type: string;
  readonly numbers: string | undefined;
  readonly marks: string;
  readonly isKind: boolean;
}

function buildField({ name, type, numbers, marks, isKind }: FieldSource, packageName: string): Field {
  const required = type.endsWith("!");
  const code = required ? type.slice(0, -1) : type;
  const words = marks === "" ? [] : marks.split(" ");
  const path = numbers === undefined ? [] : numbers.split(".").map(Number);
  const number = path.pop();
  const patch = patchOf(words);
  const structure = structureOf(words);
  const omit = omissionOf(code, required, words, isKind, name);
  return {
    name,
    schema: schemaOf(code, packageName, words, name === "items" && code.startsWith("[") && isKind),
    required,
    omit,
    ...(words.includes("null") ? { missingIsNull: true } : {}),
    ...patch,
    ...defaultOf(words, omit === "never" && !words.includes("null") ? ZEROES[code] : undefined),
    ...(structure !== undefined && /^[a-zA-Z]/.test(code) ? { structureType: structure } : {}),
    ...(number === undefined ? {} : { protobuf: number }),
    ...(path.length === 0 ? {} : { protobufInline: path }),
  };
}

function omissionOf(
  code: string,
  required: boolean,
  words: readonly string[],
  isKind: boolean,
  name: string,
): Field["omit"] {
  if (words.includes("pointer")) return "absent";
  if (words.includes("omitempty")) return "zero";
  if (words.includes("value") || words.includes("null") || required) return "never";
  if (isKind && (name === "metadata" || name === "spec" || name === "status" || name === "template"))
    return "never";
  return OMITTED_WHEN_EMPTY.test(code) ? "zero" : "absent";
}

function schemaOf(code: string, packageName: string, words: readonly string[], isItems = false): Schema {
  const scalar = SCALARS[code];
  if (scalar !== undefined) return scalar;
  if (code === "W")
    return { type: "list", items: SCALARS["s"]!, listType: "atomic", unstated: true, protobufMessage: true };
  const union = SCHEMA_OR[code];
  if (union !== undefined) {
    const struct = builtinSchema("apiextensions.v1.JSONSchemaProps");
    return { type: "any", name: union.name, structOr: { struct, or: union.or } };
  }
  if (code.startsWith("[")) return listOf(code, packageName, words, isItems);
  if (code.startsWith("{")) {
    const values = schemaOf(code.slice(1, -1), packageName, []);
    const mapType = structureOf(words);
    const map: MapSchema = mapType === undefined ? { type: "map", values } : { type: "map", values, mapType };
    return map;
  }
  return builtinSchema(code.includes(".") ? code : `${packageName}.${code}`);
}

function listOf(code: string, packageName: string, words: readonly string[], isItems: boolean): ListSchema {
  const items = schemaOf(code.slice(1, -1), packageName, []);
  for (const word of words) {
    const keys = /^map\((.*)\)$/.exec(word);
    if (keys !== null) return { type: "list", items, listType: "map", listMapKeys: keys[1]!.split(",") };
    if (word === "set") return { type: "list", items, listType: "set" };
  }
  const list: ListSchema = { type: "list", items, listType: "atomic" };
  return isItems || words.includes("unstated") ? { ...list, unstated: true } : list;
}

function structureOf(words: readonly string[]): "atomic" | "granular" | undefined {
  if (words.includes("atomic")) return "atomic";
  return words.includes("granular") ? "granular" : undefined;
}

/**
 * The default that OpenAPI shows: a mark's, or what is written for a missing value. Apply must know those of the fields
 * that identify list items, for it compares items before anything is defaulted.
 */
function defaultOf(words: readonly string[], zero: unknown): Pick<Field, "default"> {
  for (const word of words) {
    const match = /^default\((.*)\)$/.exec(word);
    if (match !== null) return { default: match[1] };
  }
  return zero === undefined ? {} : { default: zero };
}

/** What is written for a missing scalar, by code. */
const ZEROES: Readonly<Record<string, unknown>> = { s: "", b: false, i: 0, l: 0 };

function patchOf(words: readonly string[]): Pick<Field, "patchStrategy" | "patchMergeKey"> {
  for (const word of words) {
    const match = /^((?:merge|retainKeys|replace)(?:\+retainKeys)?)(?:\((.*)\))?$/.exec(word);
    if (match === null) continue;
    const patchStrategy = match[1]!.split("+") as NonNullable<Field["patchStrategy"]>; // The pattern allows no others.
    return match[2] === undefined ? { patchStrategy } : { patchStrategy, patchMergeKey: match[2] };
  }
  return {};
}
