import type { Field, ObjectSchema } from "@binnacle/apimachinery";
import { subresourcesOf } from "../discovery/resource-list.ts";
import type { ServedResource } from "../registry/resource-registry.ts";
import type { Definition, Dialect } from "./definitions.ts";

/** What the paths of a resource refer to. */
export interface PathReferences {
  readonly object: Definition;
  readonly list: Definition;
  readonly status: Definition;
}

/** The operations of a resource by path. Source: kubernetes v1.36 apiserver/pkg/endpoints/installer.go. */
export function pathsOf(
  served: ServedResource,
  references: PathReferences,
  dialect: Dialect,
): Record<string, Definition> {
  const root = served.group === "" ? `/api/${served.version}` : `/apis/${served.group}/${served.version}`;
  const scope = served.namespaced ? `${root}/namespaces/{namespace}` : root;
  const collection = `${scope}/${served.resource}`;
  const paths: Record<string, Definition> = {};
  const writer = new OperationWriter(served, references, dialect);
  paths[collection] = writer.path(collection, {
    get: ["list", "list"],
    post: ["create", "post"],
    delete: ["deletecollection", "deletecollection"],
  });
  if (served.namespaced && served.definition.virtual !== true) {
    const everywhere = `${root}/${served.resource}`;
    paths[everywhere] = writer.path(everywhere, { get: ["list", "list"] });
  }
  if (served.definition.virtual === true) return paths;
  const single = `${collection}/{name}`;
  paths[single] = writer.path(single, {
    get: ["get", "get"],
    put: ["update", "put"],
    patch: ["patch", "patch"],
    delete: ["delete", "delete"],
  });
  for (const { name, verbs, kind } of subresourcesOf(served)) {
    const path = `${single}/${name}`;
    const methods: Record<string, [string, string]> = {};
    if (verbs.includes("get")) methods["get"] = ["get", "get"];
    if (verbs.includes("create")) methods["post"] = ["create", "post"];
    if (verbs.includes("update")) methods["put"] = ["update", "put"];
    if (verbs.includes("patch")) methods["patch"] = ["patch", "patch"];
    paths[path] = writer.path(path, methods, {
      group: kind.group ?? served.group,
      version: kind.version ?? served.version,
      kind: kind.kind,
    });
  }
  return paths;
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

class OperationWriter {
  readonly #served: ServedResource;
  readonly #references: PathReferences;
  readonly #dialect: Dialect;

  constructor(served: ServedResource, references: PathReferences, dialect: Dialect) {
    this.#served = served;
    this.#references = references;
    this.#dialect = dialect;
  }

  /** A path item: HTTP method → [verb that must be served, action that the document names]. */
  path(path: string, methods: Readonly<Record<string, readonly [string, string]>>, kind?: Kind): Definition {
    const item: Definition = {};
    for (const [method, [verb, action]] of Object.entries(methods)) {
      if (kind === undefined && !(this.#served.verbs as readonly string[]).includes(verb)) continue;
      item[method] = this.#operation(path, method, action, kind);
    }
    const parameters: Definition[] = [];
    for (const name of ["namespace", "name"]) {
      if (path.includes(`{${name}}`)) parameters.push(this.#parameter(name, "path", "string"));
    }
    parameters.push(this.#parameter("pretty", "query", "string"));
    item["parameters"] = parameters;
    return item;
  }

  #operation(path: string, method: string, action: string, kind: Kind | undefined): Definition {
    const { group, version, kind: own } = this.#served;
    const isWrite = method === "post" || method === "put" || method === "patch";
    const parameters: Definition[] = [];
    const query = (names: readonly string[], type = "string"): void => {
      for (const name of names) parameters.push(this.#parameter(name, "query", type));
    };
    if (isWrite) query(["dryRun", "fieldManager", "fieldValidation"]);
    if (method === "patch") query(["force"], "boolean");
    if (action === "list" || action === "deletecollection") {
      query(["continue", "fieldSelector", "labelSelector", "resourceVersion", "resourceVersionMatch"]);
      query(["limit", "timeoutSeconds"], "integer");
      query(["sendInitialEvents", "allowWatchBookmarks", "watch"], "boolean");
    }
    if (action === "delete") query(["dryRun", "propagationPolicy"]);
    const answer = this.#answerOf(action, kind);
    const operation: Definition = {
      operationId: operationIdOf(path, method, action, this.#served),
      tags: [group === "" ? `core_${version}` : `${group.split(".")[0]}_${version}`],
      responses: this.#responses(answer),
      "x-kubernetes-action": action,
      "x-kubernetes-group-version-kind": kind ?? { group, version, kind: own },
    };
    if (this.#dialect === "v2") {
      if (isWrite)
        parameters.push({ name: "body", in: "body", required: true, schema: bodyOf(method, answer) });
      operation["consumes"] = method === "patch" ? PATCH_TYPES : ["*/*"];
      operation["produces"] = MEDIA_TYPES;
      operation["schemes"] = ["https"];
    } else if (isWrite) {
      const types = method === "patch" ? PATCH_TYPES : ["*/*"];
      const schema = bodyOf(method, answer);
      operation["requestBody"] = {
        required: true,
        content: Object.fromEntries(types.map((type) => [type, { schema }])),
      };
    }
    if (parameters.length > 0) operation["parameters"] = parameters;
    return operation;
  }

  #answerOf(action: string, kind: Kind | undefined): Definition {
    if (kind !== undefined && kind.kind !== this.#served.kind) return { type: "object" };
    if (action === "list") return this.#references.list;
    if (action === "delete" || action === "deletecollection") return this.#references.status;
    return this.#references.object;
  }

  #responses(schema: Definition): Definition {
    const ok =
      this.#dialect === "v2"
        ? { description: "OK", schema }
        : { description: "OK", content: Object.fromEntries(MEDIA_TYPES.map((type) => [type, { schema }])) };
    return { "200": ok, "401": { description: "Unauthorized" } };
  }

  #parameter(name: string, place: "path" | "query", type: string): Definition {
    const required = place === "path" ? { required: true } : {};
    if (this.#dialect === "v2") return { name, in: place, ...required, type, uniqueItems: true };
    return { name, in: place, ...required, schema: { type, uniqueItems: true } };
  }
}

const MEDIA_TYPES = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const PATCH_TYPES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

function bodyOf(method: string, object: Definition): Definition {
  return method === "patch" ? { type: "object" } : object;
}

const VERBS: Readonly<Record<string, string>> = {
  get: "read",
  put: "replace",
  post: "create",
  patch: "patch",
  delete: "delete",
  list: "list",
  deletecollection: "deleteCollection",
};

function operationIdOf(path: string, method: string, action: string, served: ServedResource): string {
  const group = served.group === "" ? "Core" : capitalize(served.group.split(".")[0] ?? "");
  const scope = path.includes("{namespace}") ? "Namespaced" : "";
  const everywhere = action === "list" && served.namespaced && scope === "" ? "ForAllNamespaces" : "";
  const subresource = /\{name\}\/(.+)$/.exec(path)?.[1] ?? "";
  return `${VERBS[action] ?? method}${group}${capitalize(served.version)}${scope}${served.kind}${capitalize(subresource)}${everywhere}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The schema of a list of a kind, which has no table of its own. */
export function listSchemaOf(served: ServedResource, listMeta: ObjectSchema): ObjectSchema {
  const scalar = (name: string): [string, Field] => [
    name,
    { name, schema: { type: "string" }, required: false, omit: "zero" },
  ];
  return {
    type: "object",
    name: `${served.schema.name ?? `${served.group}.${served.version}.${served.kind}`}List`,
    goName: served.schema.goName === undefined ? "" : `${served.schema.goName}List`,
    group: [{ group: served.group, version: served.version, kind: served.listKind }],
    fields: new Map([
      scalar("apiVersion"),
      [
        "items",
        {
          name: "items",
          schema: { type: "list", items: served.schema, listType: "atomic", unstated: true },
          required: true,
          omit: "never",
          protobuf: 2,
        },
      ],
      scalar("kind"),
      ["metadata", { name: "metadata", schema: listMeta, required: false, omit: "never", protobuf: 1 }],
    ]),
  };
}
