import type { ClientModels, ModelField } from "./client-models.ts";
import { messageOf, type ProtobufFacts } from "./protobuf-facts.ts";
import { servedPackages, shortPackage } from "./served-kinds.ts";

/** One field of a type, in the order of the Go struct. */
export interface TableField {
  readonly name: string;
  /** A code of one letter, a type's name, `[T]` or `{T}`: see the head of the generated file. */
  readonly type: string;
  readonly required: boolean;
  /** The field numbers from the outside in: more than one where the Go struct is embedded. */
  readonly numbers: readonly number[];
}

/** Package (short name) → type → fields. */
export type TypeTables = Map<string, Map<string, readonly TableField[]>>;

/** Messages that JSON writes as a single value. */
const SCALAR_MESSAGES: Readonly<Record<string, string>> = {
  "k8s.io.apimachinery.pkg.api.resource.Quantity": "q",
  "k8s.io.apimachinery.pkg.apis.meta.v1.Time": "t",
  "k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime": "u",
  "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1": "f",
  "k8s.io.apimachinery.pkg.util.intstr.IntOrString": "x",
  "k8s.io.apimachinery.pkg.runtime.RawExtension": "a",
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSON": "j",
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray": "A",
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool": "B",
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": "S",
};

const SCALARS: Readonly<Record<string, string>> = {
  string: "s",
  bool: "b",
  int32: "i",
  int64: "l",
  double: "d",
  bytes: "y",
};

/** Merges what the client's models say (names, required) with what protobuf says (types, numbers, order). */
export function buildTables(facts: ProtobufFacts, models: ClientModels): TypeTables {
  const tables: TypeTables = new Map();
  const kinds = new Set(servedPackages.flatMap((p) => p.kinds.map((kind) => `${p.protobuf}.${kind}`)));
  const embedded = embeddedMessages(facts, models);
  for (const message of Object.keys(facts)) {
    if (SCALAR_MESSAGES[message] !== undefined || isListAlias(message, facts) || embedded.has(message))
      continue;
    const dot = message.lastIndexOf(".");
    const packageName = shortPackage(message.slice(0, dot));
    const type = message.slice(dot + 1);
    const model = models.read(packageName, type);
    const fields: TableField[] = [];
    for (const name of ["kind", "apiVersion"]) {
      if (kinds.has(message) || (model?.has(name) && !(name in facts[message]!))) {
        fields.push({ name, type: "s", required: false, numbers: [] });
      }
    }
    collect(fields, message, [], model, facts);
    for (const [name, { required }] of model ?? []) {
      const field = fields.find((f) => f.name === name);
      if (field === undefined) throw new Error(`${message}: protobuf has no field for ${name}`);
      if (field.required !== required) throw new Error(`${message}.${name}: required?`);
    }
    const types = tables.get(packageName) ?? new Map<string, readonly TableField[]>();
    tables.set(packageName, types.set(type, fields));
  }
  return tables;
}

function collect(
  fields: TableField[],
  message: string,
  outer: readonly number[],
  model: Map<string, ModelField> | undefined,
  facts: ProtobufFacts,
): void {
  for (const [protobufName, [number, type]] of Object.entries(facts[message]!)) {
    const name = jsonName(message, protobufName, model);
    const numbers = [...outer, number];
    const known = model?.get(name);
    if (model !== undefined && known === undefined) {
      const inner = messageOf(type, message);
      if (inner === undefined) throw new Error(`${message}.${protobufName} is in no model`);
      collect(fields, inner, numbers, model, facts);
      continue;
    }
    fields.push({ name, type: codeOf(type, message, facts), required: known?.required ?? false, numbers });
  }
}

/** Messages that occur only inside the struct that embeds them, so that JSON knows no such type. */
function embeddedMessages(facts: ProtobufFacts, models: ClientModels): Set<string> {
  const embedded = new Set<string>();
  for (const message of Object.keys(facts)) {
    const dot = message.lastIndexOf(".");
    const hasModel = models.read(shortPackage(message.slice(0, dot)), message.slice(dot + 1)) !== undefined;
    if (!hasModel && message.startsWith("k8s.io.api.") && Object.keys(facts[message]!).length > 0) {
      embedded.add(message);
    }
  }
  return embedded;
}

function codeOf(type: string, message: string, facts: ProtobufFacts): string {
  if (type.startsWith("repeated ")) return `[${codeOf(type.slice("repeated ".length), message, facts)}]`;
  const map = /^map<string,(.*)>$/.exec(type);
  if (map !== null) return `{${codeOf(map[1]!, message, facts)}}`;
  const scalar = SCALARS[type];
  if (scalar !== undefined) return scalar;
  const target = messageOf(type, message)!;
  if (isListAlias(target, facts)) return "W";
  const special = SCALAR_MESSAGES[target];
  if (special !== undefined) return special;
  const dot = target.lastIndexOf(".");
  const samePackage = target.slice(0, dot) === message.slice(0, message.lastIndexOf("."));
  return samePackage
    ? target.slice(dot + 1)
    : `${shortPackage(target.slice(0, dot))}.${target.slice(dot + 1)}`;
}

/** Go's `type ExtraValue []string`: JSON writes the list itself. */
function isListAlias(message: string, facts: ProtobufFacts): boolean {
  const fields = Object.entries(facts[message] ?? {});
  return fields.length === 1 && fields[0]![0] === "items" && fields[0]![1][1] === "repeated string";
}

/** A few .proto files spell a field otherwise than JSON: `Webhooks`, `uID`, `xKubernetesListType`. */
function jsonName(message: string, protobufName: string, model: Map<string, ModelField> | undefined): string {
  if (message.endsWith(".JSONSchemaProps")) {
    if (protobufName === "ref" || protobufName === "schema") return `$${protobufName}`;
    if (!protobufName.startsWith("xKubernetes")) return protobufName;
    return protobufName.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  }
  if (model === undefined || model.has(protobufName)) return protobufName;
  const lower = protobufName.toLowerCase();
  return [...model.keys()].find((name) => name.toLowerCase() === lower) ?? protobufName;
}
